internal import JSONText

extension JSON {
    /// Where the first string with U+0000 stands, as a JSON Pointer; for a name, where its object stands.
    func pointerToNul(from pointer: String = "") -> String? {
        switch self {
        case .null, .bool, .number: return nil
        case .string(let text): return text.hasNul ? pointer : nil
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if let found = element.pointerToNul(from: "\(pointer)/\(index)") { return found }
            }
            return nil
        case .object(let object):
            for member in object.members {
                if member.name.hasNul { return pointer }
                if let found = member.value.pointerToNul(from: "\(pointer)/\(member.name.asPointerToken)") {
                    return found
                }
            }
            return nil
        }
    }
}

extension String {
    var hasNul: Bool { utf8.contains(0) }
}
