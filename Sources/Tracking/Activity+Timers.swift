/// What a card waits for without anybody's word (engine rules, section 6).
extension Activity {
    /// All moments at which this card must be looked at, as it stands.
    func wishes(_ situation: Situation) -> [Wish] {
        switch state {
        case .none:
            return startWishes(situation)
        case .starting:
            let token = startedAt.flatMap {
                tokenIsLate ? nil : Wish(kind: .tokenWait, at: $0 + situation.policy.tokenWait)
            }
            return lifeWishes(situation) + [token].compactMap(\.self)
        case .maybeStarted:
            let ambiguity = startedAt.map { Wish(kind: .ambiguity, at: $0 + situation.policy.ambiguityWait) }
            return lifeWishes(situation) + [ambiguity].compactMap(\.self)
        case .live:
            return lifeWishes(situation) + [staleWish(situation)].compactMap(\.self)
        case .localOnly, .ending, .unreachable:
            return lifeWishes(situation)
        case .dismissed, .ended:
            return []
        }
    }

    /// A refused start is asked for again, and an order of tomorrow is looked at in time.
    private func startWishes(_ situation: Situation) -> [Wish] {
        guard !startInFlight, !situation.order.phase.isFinal, situation.device != nil else { return [] }
        if case .refused(let until) = grant, let until { return [Wish(kind: .startWait, at: until)] }
        guard reason == .beforeSchedule, let scheduledFor = situation.order.scheduledFor else { return [] }
        return [Wish(kind: .startWait, at: scheduledFor - situation.policy.scheduleLead)]
    }

    /// The promise of what is or will be shown; one that is broken already was dealt with when that was noticed.
    private func staleWish(_ situation: Situation) -> Wish? {
        guard mustEnd == nil, !situation.order.phase.isFinal, situation.order.revision > 0 else { return nil }
        return situation.promise.until.flatMap { $0 > situation.now ? Wish(kind: .stale, at: $0) : nil }
    }

    private func lifeWishes(_ situation: Situation) -> [Wish] {
        guard let startedAt else { return [] }
        let policy = situation.policy
        var wishes = [Wish(kind: .unconfirmed, at: startedAt + policy.confirmationLimit)]
        guard mustEnd == nil, !situation.order.phase.isFinal else { return wishes }
        wishes.append(Wish(kind: .lifetime, at: startedAt + policy.lifetime))
        if policy.rollover, !rollsOver {
            wishes.append(Wish(kind: .rollover, at: startedAt + policy.rolloverAfter))
        }
        let begin = max(startedAt, situation.order.scheduledFor ?? startedAt)
        wishes.append(Wish(kind: .deadline, at: begin + policy.deadlineAfter))
        return wishes
    }
}
