/// A rule that a sender broke, whether or not APNs would have let it pass.
struct Violation: Sendable {
    /// Each names the rule of the contract page it comes from.
    enum Rule: String, Sendable, CaseIterable {
        // Requests (sender rules 10, 15-21).
        case laxProviderToken
        case missingPushType
        case missingPriority
        case missingExpiration
        case priorityOne
        case upperCaseMessageID
        case oversizedPayload
        case tooManyRequests
        case refusedRequest
        // Broadcasts (sender rule 50).
        case topicOnBroadcast
        case startToChannel
        // Content (sender rules 22-29).
        case timestampRegression
        case updateAfterEnd
        case duplicateCard
        case undecodable
        case startWithoutAlert
        case pastStaleDate
        case wrongTokenKind
        // Connections (sender rules 4-7, 14).
        case priorityFrame
        case excessStream
        case oversizedFields
        case frequentPing
        case connectionChurn
    }

    let rule: Rule
    let at: Int64
    /// The request, if it was one.
    let request: Int?
    let connection: UInt64?
    /// What exactly; never a token.
    let detail: String
}

/// The newest violations and how many there were of each rule.
struct ViolationLog: Sendable {
    static let limit = 10_000

    private(set) var counts: [Violation.Rule: Int] = [:]
    private var kept: [Violation] = []
    private(set) var total = 0

    mutating func add(_ violation: Violation) {
        counts[violation.rule, default: 0] += 1
        total += 1
        if kept.count >= Self.limit { kept.removeFirst(Self.limit / 2) }
        kept.append(violation)
    }

    /// Kept violations numbered above `number`, counted from 1 since the beginning.
    func after(_ number: Int, limit: Int) -> [(number: Int, violation: Violation)] {
        let first = total - kept.count + 1
        let start = max(0, number + 1 - first)
        guard start < kept.count else { return [] }
        return kept[start..<min(kept.count, start + limit)].enumerated()
            .map { (number: first + start + $0.offset, violation: $0.element) }
    }

    mutating func clear() { self = ViolationLog() }
}
