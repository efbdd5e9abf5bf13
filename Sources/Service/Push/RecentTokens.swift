/// The newest tokens of some kind, by their hashes: the values are secrets, and one that is taken for another only travels on
/// another connection.
struct RecentTokens: Sendable {
    private static let limit = 10_000

    private var hashes: Set<Int> = []
    private var oldest: [Int] = []
    private var next = 0

    func contains(_ token: String) -> Bool { !hashes.isEmpty && hashes.contains(token.hashValue) }

    mutating func add(_ token: String) {
        guard hashes.insert(token.hashValue).inserted else { return }
        if oldest.count < Self.limit { return oldest.append(token.hashValue) }
        hashes.remove(oldest[next])
        oldest[next] = token.hashValue
        next = (next + 1) % Self.limit
    }
}
