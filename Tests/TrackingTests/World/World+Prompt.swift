import Tracking

/// A world in which nothing is late or lost: what is due happens at once.
extension World {
    /// Partner facts with the moments at which they arrive.
    mutating func live(_ arrivals: [(at: Instant, fact: PartnerFact)], of order: OrderID, until end: Instant) {
        for arrival in arrivals.sorted(by: { $0.at < $1.at }) {
            pass(until: arrival.at)
            tell(order, .partner(arrival.fact))
            catchUp()
        }
        pass(until: end)
    }

    /// All that is due now.
    private mutating func catchUp() {
        for _ in 0..<2_000 {
            if deliver() || ring() || answer([.accepted]) || claim() { continue }
            if Self.phoneIDs.contains(where: { registerCard($0) }) { continue }
            return
        }
        require(false, "it never comes to rest")
    }

    /// Goes on from one timer or push to the next; whoever looks at a phone meanwhile is not promised too much.
    private mutating func pass(until moment: Instant) {
        while true {
            let next = [nextTimer, nextPush].compactMap(\.self).min().map { min($0, moment) } ?? moment
            expectHonestCards(until: next)
            pass(to: next)
            catchUp()
            if next == moment { return }
        }
    }

    /// No card that looks alive is past its promise (engine rules, section 9), up to the time a push needs.
    private mutating func expectHonestCards(until moment: Instant) {
        for phone in phones.values {
            for card in phone.cards where card.isRunning && card.isRegistered && !card.isStale {
                guard let stream = orders[card.order], !stream.order.phase.isFinal else { continue }
                let looksAliveUntil = min(moment, card.staleAt ?? moment)
                let promised = max(now, stream.promisedUntil(policy: policy) ?? now)
                require(
                    looksAliveUntil <= promised + .seconds(5),
                    "order \(card.order.value) \(phone.id.value): alive until \(looksAliveUntil), promised until \(promised)"
                )
            }
        }
    }

    /// How often a phone sounded, over all its cards.
    func sounds(_ id: DeviceID) -> Int { record.accepted.count { $0.device == id && !$0.intention.alerts.isEmpty } }
}
