/// What APNs said of a card's pushes, folded into its state.
extension Activity {
    mutating func startClaimed(now: Instant) {
        startClaims += 1
        claimedAt = now
    }

    /// The device had another card when this one's end was accepted.
    mutating func farewellIsAtRisk() {
        if farewell == .said { farewell = .atRisk }
    }

    mutating func accepted(_ push: PushAccepted, orderIsFinal: Bool) {
        lastStamp = max(lastStamp, push.shown.stamp)
        lastSentAt = push.shown.at
        if shown?.eta != push.shown.eta { etaSentAt = push.shown.at }
        noteUrgent(push.verb, push.priority, at: push.shown.at)
        attempts = 0
        failedAt = nil
        rang.formUnion(push.alerts)
        intention?.alerts.subtract(push.alerts)
        // What was owed in haste has arrived: what is left waits its turn.
        if push.priority == 10, slot?.value.priority == 10 { intention?.priority = 5 }
        if shown.map({ $0.stamp < push.shown.stamp }) ?? true { shown = push.shown }
        if slot?.value.revision == push.revision { intention = nil }
        switch push.verb {
        case .start:
            startAnswers = startClaims
            startedAt = startedAt ?? push.shown.at
            tokenIsLate = false
            if state == .none || state == .maybeStarted {
                state = listens ? .liveOnChannel : orderIsFinal ? .ending : .starting
            }
            startResult = .accepted
            if slot?.value.verb == .start { intention = nil }
            if let mustEnd, mustEnd.endsByItself { finish(.ended(mustEnd)) }
        case .update, .alert, .openChannel, .closeChannel:
            break
        case .end:
            if !state.isOver {
                finish(.ended(reasonOfEnd(showing: push.shown.phase)))
                farewell = .said
            } else if farewell == .atRisk {
                farewell = .over
            } else if state == .ended(.unknown) {
                // The app's report of it came before APNs' answer (field case P61).
                state = .ended(reasonOfEnd(showing: push.shown.phase))
            }
        }
    }

    private mutating func noteUrgent(_ verb: Verb, _ priority: Int, at now: Instant) {
        guard verb != .start, priority == 10 else { return }
        urgentSentAt.removeAll { $0 <= now - .seconds(3600) }
        urgentSentAt.append(now)
    }

    /// Why it ends as soon as the end that is owed has arrived; nil: none is.
    var endOnItsWay: EndReason? {
        slot.flatMap { $0.value.verb == .end ? reasonOfEnd(showing: $0.value.content.phase) : nil }
    }

    private func reasonOfEnd(showing phase: Phase) -> EndReason {
        guard let mustEnd else { return EndReason(phase) }
        return mustEnd.isOfOrder && phase.isFinal ? EndReason(phase) : mustEnd
    }

    mutating func refused(_ push: PushRefused, now: Instant) {
        lastStamp = max(lastStamp, push.stamp)
        if push.verb == .start {
            startAnswers = startClaims
            startResult = .refused
            if push.neverLeft { startsUnsent += 1 }
            // An answer after a lost one wins: the only start there was did not reach the phone.
            if state == .maybeStarted, startClaims == 1 { state = .none }
            if state == .none { mustEnd = nil }
        }
        switch push.remedy {
        case .retry:
            failed(now)
        case .drop:
            refusedDigest = push.digest
            if slot?.value.revision == push.revision { intention = nil }
            if push.verb == .end, !state.isOver { finish(.ended(.unconfirmed)) }
            if push.verb == .end, farewell == .atRisk { farewell = .over }
        case .forgetToken:
            forgetToken(push, now)
        }
    }

    mutating func lost(_ push: PushLost, orderPhase: Phase, now: Instant) {
        lastStamp = max(lastStamp, push.stamp)
        noteUrgent(push.verb, push.priority, at: now)
        let owed = push.alerts.intersection(.repeatable).subtracting(repeated)
        repeated.formUnion(owed)
        rang.formUnion(push.alerts.subtracting(owed))
        intention?.alerts.subtract(push.alerts.subtracting(owed))
        switch push.verb {
        case .start:
            startAnswers = startClaims
            startResult = .lost
            if slot?.value.verb == .start { intention = nil }
            if state == .none {
                state = .maybeStarted
                startedAt = startedAt ?? claimedAt ?? now
            }
        case .update:
            failed(now)
            forgetShown(before: push.stamp)
        case .end:
            failed(now)
            forgetShown(before: push.stamp)
            // It may be over on the phone: nothing but an end can follow (rule 7).
            mustEnd = mustEnd ?? (orderPhase.isFinal ? EndReason(orderPhase) : .rollover)
        case .alert, .openChannel, .closeChannel:
            break
        }
    }

    /// After a lost answer nobody knows what the phone shows, so the newest state goes out again.
    private mutating func forgetShown(before stamp: Int64) {
        if let shown, shown.stamp < stamp { self.shown = nil }
    }

    private mutating func failed(_ now: Instant) {
        attempts += 1
        failedAt = now
    }

    /// 410 kills only the generation it was sent to, and only if that was registered before Apple's time of death.
    private mutating func forgetToken(_ push: PushRefused, _ now: Instant) {
        switch push.verb {
        case .start:
            intention = nil
            startResult = .tokenDead
            startTokenDeadSince = push.deadSince
            grant = .none
        case .update, .end:
            guard push.generation == tokenGeneration else { return }
            if farewell == .atRisk { farewell = .over }
            guard !state.isOver else { return }
            // A token that is said to be newer than its death is offered once more, not for ever.
            if let deadSince = push.deadSince, let tokenAt, tokenAt > deadSince, attempts == 0 { return failed(now) }
            updateToken?.deadSince = push.deadSince ?? now
            if push.verb == .end {
                finish(.ended(.unconfirmed))
            } else {
                state = .unreachable
                tokenDied = true
            }
        case .alert, .openChannel, .closeChannel:
            break
        }
    }
}
