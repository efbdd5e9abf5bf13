/// What a card waits for without anybody's word (engine rules, section 6).
extension Activity {
    /// Sets the card's alarm as the order's is set.
    mutating func setAlarm(_ situation: borrowing Situation, _ policy: Policy, after timer: TimerRang?) {
        if state.isOver, alarm.armed == nil { return }
        let wishes = wishes(situation, policy)
        let hasRung = timer.map { $0.incarnation == incarnation && $0.device == device } ?? false
        alarm.set(for: wishes, after: hasRung ? situation.now : nil)
    }

    /// All moments at which this card must be looked at, as it stands.
    func wishes(_ situation: borrowing Situation, _ policy: Policy) -> Wishes {
        var wishes = Wishes()
        switch state {
        case .none:
            wishes.add(.startWait, at: startWish(situation, policy))
        case .starting:
            addLife(to: &wishes, situation, policy)
            if !tokenIsLate { wishes.add(.tokenWait, at: startedAt.map { $0 + policy.tokenWait }) }
        case .maybeStarted:
            addLife(to: &wishes, situation, policy)
            wishes.add(.ambiguity, at: startedAt.map { $0 + policy.ambiguityWait })
        case .live:
            addLife(to: &wishes, situation, policy)
            wishes.add(.stale, at: staleWish(situation))
        case .liveOnChannel:
            // Everything else comes with the channel.
            wishes.add(.unconfirmed, at: startedAt.map { $0 + policy.confirmationLimit })
        case .localOnly, .ending, .unreachable:
            addLife(to: &wishes, situation, policy)
        case .dismissed, .ended:
            break
        }
        return wishes
    }

    /// A refused start is asked for again, and an order of tomorrow is looked at in time.
    private func startWish(_ situation: borrowing Situation, _ policy: Policy) -> Instant? {
        guard !startInFlight, !situation.phase.isFinal, situation.phone != nil else { return nil }
        if case .refused(let until) = grant, let until { return until }
        guard reason == .beforeSchedule, let scheduledFor = situation.scheduledFor else { return nil }
        return scheduledFor - policy.scheduleLead
    }

    /// The promise of what is or will be shown; one that is broken already was dealt with when that was noticed.
    private func staleWish(_ situation: borrowing Situation) -> Instant? {
        guard mustEnd == nil, !situation.phase.isFinal, situation.revision > 0 else { return nil }
        return situation.promise.until.flatMap { $0 > situation.now ? $0 : nil }
    }

    private func addLife(to wishes: inout Wishes, _ situation: borrowing Situation, _ policy: Policy) {
        guard let startedAt else { return }
        // Of the cards that listen to a channel each has its own twelve hours.
        if incarnation != Channel.incarnation { wishes.add(.unconfirmed, at: startedAt + policy.confirmationLimit) }
        guard mustEnd == nil, !situation.phase.isFinal else { return }
        wishes.add(.lifetime, at: startedAt + policy.lifetime)
        if policy.rollover, !rollsOver { wishes.add(.rollover, at: startedAt + policy.rolloverAfter) }
        // The order's, not this card's: else one that nobody finishes would roll over for ever.
        let begun = situation.begun ?? startedAt
        let begin = max(begun, situation.scheduledFor ?? begun)
        wishes.add(.deadline, at: begin + policy.deadlineAfter)
    }
}
