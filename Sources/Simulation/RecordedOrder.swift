package import Tracking

/// One order of a recorded stream.
package struct RecordedOrder: Sendable {
    package let id: OrderID
    /// The first customer that its events name, whose phone shows it.
    package internal(set) var customer: CustomerID?
    /// What was told of it, in order of event time, each event once.
    package internal(set) var facts: [PartnerFact] = []

    package init(id: OrderID, facts: [PartnerFact] = []) {
        self.id = id
        self.facts = facts
        customer = facts.lazy.compactMap(\.data.customer).first
        arrange()
    }

    /// Puts facts in order of time, in the file's order among equals, and answers how many were told again.
    @discardableResult
    mutating func arrange() -> Int {
        let told = facts.count
        var seen: Set<EventReference> = []
        facts = facts.filter { seen.insert($0.reference).inserted }
        let inOrder = zip(facts, facts.dropFirst()).allSatisfy { $0.key.time <= $1.key.time }
        if !inOrder {
            // `sort` is stable, but does not promise to stay so.
            facts = facts.enumerated()
                .sorted { ($0.element.key.time, $0.offset) < ($1.element.key.time, $1.offset) }
                .map(\.element)
        }
        return told - facts.count
    }
}
