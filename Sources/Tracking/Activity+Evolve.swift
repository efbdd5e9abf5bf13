/// What happened to a card, folded into its state. No rules here: those are in `decide`.
extension Activity {
    /// Nothing was ever started or registered for it.
    var isUntouched: Bool { state == .none && startClaims == 0 && activityID == nil }

    /// A server start that the app has not yet answered with a token.
    var awaitsRegistration: Bool {
        switch state {
        case .starting, .maybeStarted, .ending: activityID == nil
        case .none: startInFlight
        case .live, .localOnly, .unreachable, .dismissed, .ended: false
        }
    }

    /// Nothing on the phone and nothing on the way there.
    var isSettledNone: Bool { state == .none && !startInFlight && intention == nil }

    mutating func grantAnswered(_ answer: Grant) {
        // A place that is given is always taken, so that it is used or given back.
        if grant == .requested || (answer == .granted && state == .none) { grant = answer }
    }

    mutating func placeIsFree() {
        if case .refused = grant { grant = .none }
    }

    mutating func registered(_ registration: CardRegistration, now: Instant, orderIsFinal: Bool) {
        guard accepts(registration.sequence) else { return }
        if registration.sequence == nil, let tokenAt, registration.observedAt < tokenAt { return }
        activityID = registration.activity
        registeredAt = now
        if registration.hasToken {
            tokenGeneration += 1
            tokenAt = registration.observedAt
        }
        startedAt = startedAt ?? registration.startedAt ?? now
        switch state {
        case .none:
            if !startInFlight { origin = registration.origin }
            state = registration.hasToken ? .live : .localOnly
        case .starting, .maybeStarted, .unreachable, .localOnly:
            if registration.hasToken { state = orderIsFinal ? .ending : .live }
        case .ended(.unconfirmed), .ended(.disabled):
            // An end met a token that iOS had replaced, or the switch was on again when a start arrived: the card is
            // there after all.
            if mustEnd == .disabled { mustEnd = nil }
            if registration.hasToken { state = orderIsFinal || mustEnd != nil ? .ending : .live }
        case .live, .ending, .dismissed, .ended:
            break
        }
    }

    mutating func reported(_ reported: ReportedState, sequence: Int64?) {
        guard accepts(sequence) else { return }
        switch reported {
        case .active:
            break
        case .ended:
            if !state.isOver { finish(.ended(.unknown)) }
        case .dismissed:
            if !state.isOver { finish(.dismissed) }
        }
    }

    /// The app listed what runs on the phone, and this card was not in it.
    ///
    /// A list comes by way of the device's stream: one that was made before the card was registered may be late.
    mutating func missing(now: Instant) {
        if let registeredAt, now < registeredAt + Self.listDelay { return }
        switch state {
        case .maybeStarted:
            state = .none
            intention = nil
            mustEnd = nil
        case .live, .localOnly, .unreachable:
            finish(.ended(.unknown))
        case .ending:
            if activityID != nil { finish(.ended(.unknown)) }
        case .none, .starting, .dismissed, .ended:
            break
        }
    }

    /// The order moved between live and final.
    mutating func orderMoved(isFinal: Bool) {
        switch state {
        case .starting:
            if isFinal { state = .ending }
        case .ending:
            if !isFinal { state = hasToken ? .live : .starting }
        case .none, .maybeStarted, .live, .localOnly, .unreachable, .dismissed, .ended:
            break
        }
    }

    mutating func accepted(_ push: PushAccepted, orderIsFinal: Bool) {
        lastStamp = max(lastStamp, push.shown.stamp)
        lastSentAt = push.shown.at
        attempts = 0
        failedAt = nil
        rang.formUnion(push.alerts)
        intention?.alerts.subtract(push.alerts)
        if shown.map({ $0.stamp < push.shown.stamp }) ?? true { shown = push.shown }
        if intention?.revision == push.revision { intention = nil }
        switch push.verb {
        case .start:
            startAnswers = startClaims
            startedAt = startedAt ?? push.shown.at
            if state == .none || state == .maybeStarted { state = orderIsFinal ? .ending : .starting }
            startResult = .accepted
            if intention?.verb == .start { intention = nil }
            if let mustEnd, mustEnd.endsByItself { finish(.ended(mustEnd)) }
        case .update:
            break
        case .end:
            if !state.isOver { finish(.ended(reasonOfEnd(showing: push.shown.phase))) }
        }
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
            if intention?.revision == push.revision { intention = nil }
            if push.verb == .end, !state.isOver { finish(.ended(.unconfirmed)) }
        case .forgetToken:
            forgetToken(push, now)
        }
    }

    mutating func lost(_ push: PushLost, orderPhase: Phase, now: Instant) {
        lastStamp = max(lastStamp, push.stamp)
        let owed = push.alerts.intersection(.repeatable).subtracting(repeated)
        repeated.formUnion(owed)
        rang.formUnion(push.alerts.subtracting(owed))
        intention?.alerts.subtract(push.alerts.subtracting(owed))
        switch push.verb {
        case .start:
            startAnswers = startClaims
            startResult = .lost
            if intention?.verb == .start { intention = nil }
            if state == .none { state = .maybeStarted }
        case .update:
            failed(now)
            forgetShown(before: push.stamp)
        case .end:
            failed(now)
            forgetShown(before: push.stamp)
            // It may be over on the phone: nothing but an end can follow (rule 7).
            mustEnd = mustEnd ?? (orderPhase.isFinal ? EndReason(orderPhase) : .rollover)
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
            // A token that is said to be newer than its death is offered once more, not for ever.
            if let deadSince = push.deadSince, let tokenAt, tokenAt > deadSince, attempts == 0 { return failed(now) }
            if push.verb == .end {
                finish(.ended(.unconfirmed))
            } else if !state.isOver {
                state = .unreachable
            }
        }
    }

    /// The device belongs to somebody else now, or its switch is off.
    mutating func withdraw(_ why: EndReason) {
        switch state {
        case .none:
            // A place that was asked for is given back when the answer is here.
            if startInFlight { mustEnd = why } else { intention = nil }
        case .starting, .maybeStarted, .live, .localOnly, .ending, .unreachable:
            if why.endsByItself { finish(.ended(why)) } else { mustEnd = why }
        case .dismissed, .ended:
            break
        }
    }

    /// How long a list may be under way. Ours.
    private static let listDelay = Duration.seconds(60)

    private mutating func finish(_ final: ActivityState) {
        state = final
        intention = nil
    }

    /// An older report than one already seen is kept in the log and has no effect (field case P34).
    private mutating func accepts(_ sequence: Int64?) -> Bool {
        guard let sequence else { return true }
        guard sequence > self.sequence else { return false }
        self.sequence = sequence
        return true
    }

    /// What the device stream must hear of the change from `before`: it keeps the places and the start token.
    func messages(since before: Activity, order: OrderID) -> [Relay.DeviceMessage] {
        var messages: [Relay.DeviceMessage] = []
        if startAnswers > before.startAnswers, let startResult {
            messages.append(
                .startAnswered(
                    order,
                    incarnation: incarnation,
                    result: startResult,
                    deadSince: startTokenDeadSince
                )
            )
        }
        if activityID != nil, before.activityID == nil || before.state.isOver, !state.isOver {
            messages.append(.cardLive(order, incarnation: incarnation))
        }
        if state.isOver, !before.state.isOver {
            messages.append(.cardEnded(order, incarnation: incarnation))
        }
        return messages
    }
}
