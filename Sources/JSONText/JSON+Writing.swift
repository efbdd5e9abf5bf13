extension JSON {
    /// The text of this value, members in their order, no whitespace.
    package func serialized() -> [UInt8] { written(sorted: false) }

    /// The one spelling of this value: names sorted by bytes, no whitespace, shortest escapes, numbers as written.
    ///
    /// Fingerprints of events are taken over it (docs/problems.md, `event-id-reused`).
    package func canonical() -> [UInt8] { written(sorted: true) }

    private func written(sorted: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(self, sorted: sorted)
        return writer.bytes
    }
}

extension JSONWriter {
    /// A whole value, its members sorted by the bytes of their names if asked.
    package mutating func value(_ value: JSON, sorted: Bool = false) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let spelling): number(spelling)
        case .string(let text): string(text)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element, sorted: sorted) }
            endArray()
        case .object(let object):
            beginObject()
            for member in sorted ? object.membersByName : object.members {
                name(member.name)
                self.value(member.value, sorted: sorted)
            }
            endObject()
        }
    }
}

extension JSONObject {
    var membersByName: [Member] {
        members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

extension JSON: Hashable {
    package static func == (lhs: JSON, rhs: JSON) -> Bool { lhs.canonical() == rhs.canonical() }

    package func hash(into hasher: inout Hasher) { hasher.combine(canonical()) }
}

extension JSONObject: Hashable {
    package static func == (lhs: JSONObject, rhs: JSONObject) -> Bool { JSON.object(lhs) == JSON.object(rhs) }

    package func hash(into hasher: inout Hasher) { JSON.object(self).hash(into: &hasher) }
}

extension JSON: CustomStringConvertible {
    package var description: String { String(decoding: serialized(), as: UTF8.self) }
}
