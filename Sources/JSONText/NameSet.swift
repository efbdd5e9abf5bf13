/// Finds a name that occurs twice in one object.
///
/// Small objects are compared pair by pair; a set is kept only when there are many members, so that a hostile object
/// of thousands of names costs no quadratic time.
struct NameSet: ~Copyable {
    private static let pairwiseLimit = 16
    private var names: Set<ByteString> = []

    /// False when `name` is one of `members`, all of which were inserted before.
    mutating func insert(_ name: String, among members: [JSONObject.Member]) -> Bool {
        guard members.count >= Self.pairwiseLimit else {
            return !members.contains { sameBytes($0.name, name) }
        }
        if names.isEmpty {
            names = Set(members.map { ByteString(text: $0.name) })
        }
        return names.insert(ByteString(text: name)).inserted
    }

    /// A string that is equal to another only when the bytes are.
    private struct ByteString: Hashable {
        let text: String

        static func == (lhs: Self, rhs: Self) -> Bool { sameBytes(lhs.text, rhs.text) }

        func hash(into hasher: inout Hasher) {
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}
