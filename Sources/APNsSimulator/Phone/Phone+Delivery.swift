internal import Crypto

extension Phone {
    /// A push that has arrived.
    mutating func accept(
        _ push: Push,
        _ conditions: Conditions,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> Reaction {
        guard isInstalled else { return Reaction(verdict: .uninstalled) }
        return deliver(push, conditions, at: now, using: &generator)
    }

    private mutating func deliver(
        _ push: Push,
        _ conditions: Conditions,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> Reaction {
        if push.kind == .device { return notify(push) }
        guard let payload = push.payload else { return Reaction(verdict: .malformed) }
        switch (payload.event, push.kind) {
        case (.start, .start):
            return start(payload, push, conditions, at: now, using: &generator)
        case (.update, .update), (.end, .update), (.update, .channel), (.end, .channel):
            guard let card = push.card else { return Reaction(verdict: .wrongTokenKind) }
            return change(card, payload, push, conditions, at: now, using: &generator)
        case (.start, .update), (.start, .channel), (.update, .start), (.end, .start), (_, .device):
            return Reaction(verdict: .wrongTokenKind)
        }
    }

    /// A card's hour has budget again: the push that waited for it (contract 41).
    mutating func release(
        card: Int,
        _ conditions: Conditions,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> (push: Push, reaction: Reaction)? {
        guard let push = deferred[card] else { return nil }
        if let limits = rules(conditions).urgentBudget, cards[card].ending(at: now.phone) == nil,
            !cards[card].urgentBudget.hasRoom(limits.limit(isFrequent: frequentPushes), at: now.phone)
        {
            return nil
        }
        deferred[card] = nil
        return (push, deliver(push, conditions, at: now, using: &generator))
    }

    private mutating func notify(_ push: Push) -> Reaction {
        guard allowsNotifications else { return Reaction(verdict: .notificationsOff) }
        notifications += 1
        guard let alert = push.alert else { return Reaction(verdict: .notified) }
        guard alert.isReadable else { return Reaction(verdict: .malformed, detail: "no alert") }
        // A newer one of the same collapse id takes the place of the one on the screen.
        alerts.removeAll { $0.collapseID != nil && $0.collapseID == alert.collapseID }
        alerts.append(alert)
        return Reaction(verdict: .notified)
    }

    /// Whether the app runs long enough to see what has happened, woken by the system if need be (contract 35).
    func isAwake(
        _ conditions: Conditions,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> Bool {
        if now.phone < awakeUntil { return true }
        let probability = rules(conditions).wakeProbability(application)
        return probability >= 1 || Double.random(in: 0..<1, using: &generator) < probability
    }
}

extension Hex {
    /// A push token as Live Activities have them: 160 digits (contract 1.1.5).
    static func token(using generator: inout some RandomNumberGenerator) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(80)
        for _ in 0..<10 {
            let word = generator.next()
            for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift))) }
        }
        return encode(bytes)
    }
}
