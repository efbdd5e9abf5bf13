extension World {
    /// Sends an accepted push on its way; most arrive at once.
    mutating func dispatch(_ push: Push, _ order: PushOrder, to phone: Int, at now: Moment) {
        let kept = OfflineStorage.Kept(
            push: push,
            token: order.token,
            topic: order.topic,
            collapseID: order.collapseID,
            at: now.phone,
            until: order.expiration?.inMicroseconds ?? now.phone + OfflineStorage.lifetime
        )
        let arrival = Transit.arrival(priority: push.priority, at: now.phone, knobs.transit, using: &generator)
        guard arrival > now.phone else { return arrive(kept, at: phone, now) }
        transit.add(Transit.Entry(kept: kept, phone: phone, arrival: arrival))
        settle(push.sequence, Reaction(verdict: .underWay), on: phone, at: now)
    }

    /// What was under way and is there now.
    mutating func receiveTransit(at now: Moment) {
        for entry in transit.arrived(by: now.phone) { arrive(entry.kept, at: entry.phone, now) }
    }

    /// The phone has it, or APNs keeps it, unless it must not.
    private mutating func arrive(_ kept: OfflineStorage.Kept, at phone: Int, _ now: Moment) {
        guard phones[phone].isInstalled, !phones[phone].isOnline else { return hand(kept.push, to: phone, at: now) }
        guard kept.push.expiration != 0 else {
            return settle(kept.push.sequence, Reaction(verdict: .expired), on: phone, at: now)
        }
        settle(kept.push.sequence, Reaction(verdict: .stored), on: phone, at: now)
        let gone = storage.keep(
            kept,
            for: phone,
            slot: knobs.storage.slot,
            newestWins: knobs.storage.newestWins ?? (phones[phone].preset == .docs ? 1 : Self.fieldNewestWins),
            using: &generator
        )
        if let gone { settle(gone.sequence, Reaction(verdict: .replaced), on: phone, at: now) }
    }

    /// The phone is back: what was kept arrives, unless its time has passed.
    mutating func deliverStored(to phone: Int, at now: Moment) {
        for kept in storage.take(for: phone) {
            if kept.until <= now.phone {
                settle(kept.push.sequence, Reaction(verdict: .expired), on: phone, at: now)
            } else {
                hand(kept.push, to: phone, at: now)
            }
        }
    }

    private mutating func hand(_ push: Push, to phone: Int, at now: Moment) {
        let reaction = phones[phone].accept(push, conditions(of: phone), at: now, using: &generator)
        settle(push.sequence, reaction, on: phone, at: now)
    }

    /// As developers report it; the number is ours.
    private static let fieldNewestWins = 0.95
}
