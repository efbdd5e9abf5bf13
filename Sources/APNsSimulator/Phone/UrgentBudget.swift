/// The budget of pushes with priority 10 that a phone allows one card in a rolling hour (contract 41, 5.1-5.6).
///
/// Apple publishes neither its size nor how the levels differ: every number is ours.
struct UrgentBudget: Sendable, Codable {
    /// Two levels; the second where the person allows frequent updates.
    struct Limits: Hashable, Sendable {
        var normal: Int
        var frequent: Int

        func limit(isFrequent: Bool) -> Int { isFrequent ? frequent : normal }
    }

    static let window: Int64 = 3600 * 1_000_000

    /// When pushes were charged, oldest first, microseconds of the phones' clock.
    private var charged: [Int64] = []

    /// Whether one more fits at `now`.
    mutating func hasRoom(_ limit: Int, at now: Int64) -> Bool {
        charged.removeAll { $0 <= now - Self.window }
        return charged.count < limit
    }

    /// Charges one if it fits; whether it did.
    mutating func charge(_ limit: Int, at now: Int64) -> Bool {
        guard hasRoom(limit, at: now) else { return false }
        charged.append(now)
        return true
    }
}
