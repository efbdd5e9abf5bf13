import Testing
import Tracking

/// Every fact of every order's stream as it was folded: what a replay of the log must reproduce.
struct WorldLog {
    struct Entry {
        let fact: OrderStreamFact
        let at: Instant
        let outcome: OrderStream.Outcome
    }

    private(set) var entries: [OrderID: [Entry]] = [:]
    private(set) var last: [OrderID: OrderStream] = [:]
    /// Says what happens, for somebody who reads a history that failed.
    var isTold = false

    mutating func note(
        _ id: OrderID,
        _ fact: OrderStreamFact,
        _ now: Instant,
        _ outcome: OrderStream.Outcome,
        _ stream: OrderStream
    ) {
        entries[id, default: []].append(Entry(fact: fact, at: now, outcome: outcome))
        last[id] = stream
        guard isTold else { return }
        let seconds = Double((now - noon).components.seconds)
        let decided = outcome.decisions.map { "\($0.device.value)/\($0.incarnation) \($0.kind) \($0.reason)" }
        print("\(seconds) s, order \(id.value): \(DecisionTable.input(fact)) → \(decided.joined(separator: ", "))")
    }

    /// What differs when the log is folded once more, from stored forms at every step.
    func differences(policy: Policy) -> [String] {
        var differences: [String] = []
        for (id, entries) in entries.sorted(by: { $0.key.value < $1.key.value }) {
            var stream = OrderStream(id: id)
            var arrived: [PartnerFact] = []
            for (number, entry) in entries.enumerated() {
                if let fact = Self.folded(entry.fact) { arrived.append(fact) }
                let again = stream.accepts(entry.fact) ? nil : arrived
                let outcome = stream.handle(
                    entry.fact,
                    version: number + 1,
                    now: entry.at,
                    policy: policy,
                    partnerFacts: again
                )
                if outcome != entry.outcome {
                    differences.append("order \(id.value): fact \(number) decides otherwise")
                }
                guard let stored = Self.stored(stream) else { return ["order \(id.value): not readable as stored"] }
                if stored != stream { differences.append("order \(id.value): another state as stored") }
                stream = stored
            }
            if stream != last[id] { differences.append("order \(id.value): another state when folded again") }
        }
        return differences
    }

    private static func folded(_ fact: OrderStreamFact) -> PartnerFact? {
        if case .partner(let partner) = fact { return partner }
        if case .timerRang(let timer) = fact { return PartnerFact(timer) }
        return nil
    }

    private static func stored(_ stream: OrderStream) -> OrderStream? {
        let cards = stream.activities.compactMap {
            try? Activity(device: $0.device, incarnation: $0.incarnation, stored: $0.stored)
        }
        return try? OrderStream(id: stream.id, stored: stream.stored, activities: cards.reversed())
    }
}
