extension World {
    /// What time alone brings about: ends of eight hours, pushes that waited for budget or were under way. Call it now and then.
    mutating func sweep(at now: Moment) {
        for entry in lifetimes.expired(at: now.phone) {
            let ending = phones[entry.phone].cards[entry.card].ending(at: now.phone)
            guard ending?.cause == .lifetime else { continue }
            let conditions = conditions(of: entry.phone)
            let calls = phones[entry.phone].reportEnd(of: entry.card, conditions, at: now, using: &generator)
            tell(calls, from: entry.phone)
        }
        releaseDeferred(at: now)
        receiveTransit(at: now)
    }

    private mutating func releaseDeferred(at now: Moment) {
        for place in deferring.sorted(by: { ($0.phone, $0.card) < ($1.phone, $1.card) }) {
            let conditions = conditions(of: place.phone)
            let released = phones[place.phone].release(card: place.card, conditions, at: now, using: &generator)
            if let released { settle(released.push.sequence, released.reaction, on: place.phone, at: now) }
        }
        deferring = deferring.filter { phones[$0.phone].deferred[$0.card] != nil }
    }
}
