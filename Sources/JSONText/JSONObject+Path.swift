extension JSONObject {
    /// Sets a member of an object inside objects, making those that are missing; an empty path sets nothing.
    package mutating func set(_ value: JSON, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            self[name] = value
            return
        }
        var inner = self[name]?.objectValue ?? JSONObject()
        inner.set(value, at: path.dropFirst())
        self[name] = .object(inner)
    }
}
