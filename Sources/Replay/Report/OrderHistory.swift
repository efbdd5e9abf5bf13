internal import JSONText

/// What the log says of one order: its partner facts and what was decided with each (`timeline?view=full`).
struct OrderHistory: Sendable {
    struct Fact: Sendable {
        let source: String
        let id: String
        /// Microseconds since 1970.
        let recordedAt: Int64
        let effect: String
        let decisions: [Decision]
    }

    struct Decision: Sendable {
        let phone: String
        let verdict: String
        let reason: String
        /// It was decided, but a rule kept it back.
        let isHeld: Bool
    }

    /// Partner and staff facts in the order of the log: the nth makes revision n.
    private(set) var facts: [Fact] = []
    /// The newest decision about each phone.
    private(set) var lastDecision: [String: Decision] = [:]

    /// Adds the next entry of the log.
    mutating func add(_ entry: JSON) {
        let decisions = (entry["decisions"]?.arrayValue ?? []).compactMap { decision -> Decision? in
            // Those about the alert in the place of cards say nothing of a card.
            guard decision["incarnation"]?.int64Value != 0 else { return nil }
            return Decision(
                phone: decision["device"]?.stringValue ?? "",
                verdict: decision["verdict"]?.stringValue ?? "",
                reason: decision["reason"]?.stringValue ?? "",
                isHeld: decision["details"]?["heldUntil"]?.stringValue != nil
            )
        }
        for decision in decisions { lastDecision[decision.phone] = decision }
        // Only facts that count toward the revision have an effect.
        guard let effect = entry["effect"]?.stringValue else { return }
        let recorded = entry["recordedAt"]?.stringValue.flatMap { RFC3339.parse($0)?.microseconds }
        facts.append(
            Fact(
                source: entry["source"]?.stringValue ?? "",
                id: entry["id"]?.stringValue ?? "",
                recordedAt: recorded ?? 0,
                effect: effect,
                decisions: decisions
            )
        )
    }

    var unknownTypes: Int { facts.count { $0.effect == "unknown" } }

    /// How many of these events the log lacks.
    func missing(_ expected: [(source: String, id: String)]) -> Int {
        let present = Set(facts.map { "\($0.source)\u{0}\($0.id)" })
        return expected.count { !present.contains("\($0.source)\u{0}\($0.id)") }
    }

    /// The fact that made this revision.
    func fact(revision: Int64) -> Fact? {
        facts.indices.contains(Int(revision) - 1) ? facts[Int(revision) - 1] : nil
    }
}
