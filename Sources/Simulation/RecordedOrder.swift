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
        facts.removeAll { !seen.insert($0.reference).inserted }
        let isInOrder = facts.indices.dropFirst().allSatisfy { facts[$0 - 1].key.time <= facts[$0].key.time }
        if !isInOrder {
            let order = facts.indices.sorted { (facts[$0].key.time, $0) < (facts[$1].key.time, $1) }
            facts = order.map { facts[$0] }
        }
        return told - facts.count
    }

    /// The same order with more facts, which are in order of time and follow those of the same time.
    func adding(_ more: [PartnerFact]) -> RecordedOrder {
        var merged = self
        merged.facts = []
        merged.facts.reserveCapacity(facts.count + more.count)
        var rest = more[...]
        for fact in facts {
            while let next = rest.first, next.key.time < fact.key.time { merged.facts.append(rest.removeFirst()) }
            merged.facts.append(fact)
        }
        merged.facts += rest
        return merged
    }
}
