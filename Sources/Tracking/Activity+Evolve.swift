/// What happened to a card, folded into its state. No rules here: those are in `decide`.
extension Activity {
    /// Nothing was ever started or registered for it.
    var isUntouched: Bool { state == .none && startClaims == 0 && activityID == nil }

    /// A server start that the app has not yet answered with a token.
    var awaitsRegistration: Bool {
        switch state {
        case .starting, .maybeStarted, .ending: activityID == nil
        case .liveOnChannel: activityID == nil
        case .none: startInFlight
        case .live, .localOnly, .unreachable, .dismissed, .ended: false
        }
    }

    /// Nothing on the phone and nothing on the way there.
    var isSettledNone: Bool { state == .none && !startInFlight && slot == nil }

    mutating func grantAnswered(_ answer: Grant, from: Instant? = nil) {
        grantedFrom = from
        // A place that is given is always taken, so that it is used or given back.
        if grant == .requested || (answer == .granted && state == .none) { grant = answer }
    }

    mutating func placeIsFree() {
        if case .refused = grant { grant = .none }
    }

    mutating func registered(_ registration: CardRegistration, version: Int, now: Instant, orderIsFinal: Bool) {
        guard accepts(registration.sequence) else { return }
        if registration.sequence == nil, let tokenAt, registration.observedAt < tokenAt { return }
        activityID = registration.activity
        registeredAt = now
        if registration.hasToken {
            tokenGeneration += 1
            tokenAt = registration.observedAt
            updateToken = registration.token.map { HeldToken(id: $0, claim: version) }
        }
        startedAt = startedAt ?? registration.startedAt ?? now
        switch state {
        case .none:
            if !startInFlight {
                origin = registration.origin
                channel = nil
            }
            state = listens ? .liveOnChannel : registration.hasToken ? .live : .localOnly
        case .maybeStarted where listens, .unreachable where listens:
            state = .liveOnChannel
        case .starting, .maybeStarted, .unreachable, .localOnly:
            if registration.hasToken {
                state = orderIsFinal ? .ending : .live
                tokenDied = false
            }
        case .ended(.unconfirmed), .ended(.disabled), .ended(.setting):
            // An end met a token that iOS had replaced, or a start arrived after the switch was turned again: the card
            // is there after all.
            if let mustEnd, mustEnd.endsByItself { self.mustEnd = nil }
            if listens { state = .liveOnChannel }
            if registration.hasToken { state = orderIsFinal || mustEnd != nil ? .ending : .live }
        case .live, .liveOnChannel, .ending, .dismissed, .ended:
            break
        }
    }

    mutating func reported(_ reported: ReportedState, sequence: Int64?, channelEnds: EndReason?) {
        guard accepts(sequence) else { return }
        switch reported {
        case .active:
            break
        case .ended, .dismissed:
            if state.isOver { farewell = .over }
        }
        switch reported {
        case .active:
            break
        case .ended:
            if !state.isOver { finish(.ended(reasonOfItsOwn(channelEnds))) }
        case .dismissed:
            if !state.isOver { finish(.dismissed) }
        }
    }

    /// The app listed what runs on the phone, and this card was not in it.
    ///
    /// A list comes by way of the device's stream: one that was made before the card was registered may be late.
    mutating func missing(now: Instant, channelEnds: EndReason?) {
        if let registeredAt, now < registeredAt + Self.listDelay { return }
        switch state {
        case .maybeStarted:
            state = .none
            intention = nil
            mustEnd = nil
            startedAt = nil
        case .live, .unreachable:
            finish(.ended(reasonOfItsOwn(channelEnds)))
        case .liveOnChannel, .localOnly, .ending:
            if activityID != nil { finish(.ended(reasonOfItsOwn(channelEnds))) }
        case .none, .starting, .dismissed, .ended:
            break
        }
    }

    /// Why a card is gone before we know of an end: one that listens has heard the channel's before its answer came here
    /// (field case P61), or was ended by its app, as it was asked to because it could not be told alone.
    private func reasonOfItsOwn(_ channelEnds: EndReason?) -> EndReason {
        listens ? mustEnd ?? channelEnds ?? .unknown : .unknown
    }

    /// The order moved between live and final.
    mutating func orderMoved(isFinal: Bool) {
        switch state {
        case .starting:
            if isFinal { state = .ending }
        case .ending:
            if !isFinal { state = hasToken ? .live : .starting }
        case .none, .maybeStarted, .live, .liveOnChannel, .localOnly, .unreachable, .dismissed, .ended:
            break
        }
    }

    /// What a timer of the card means once its moment has come.
    mutating func timerRang(_ kind: TimerKind) {
        switch kind {
        case .tokenWait:
            tokenIsLate = true
        case .ambiguity:
            if state == .maybeStarted { state = .unreachable }
        case .deadline:
            withdraw(.deadline)
        case .lifetime:
            withdraw(.lifetime)
        case .unconfirmed:
            finish(.ended(.unconfirmed))
        case .startWait:
            placeIsFree()
        case .rollover:
            rollsOver = true
        case .stale, .attemptWait, .commandWait:
            // Stale is a matter of the moment of deciding; the others concern the order.
            break
        }
    }

    /// The device belongs to somebody else now, or its switch is off.
    mutating func withdraw(_ why: EndReason) {
        switch state {
        case .none:
            // A place that was asked for is given back when the answer is here.
            if startInFlight { mustEnd = why } else { intention = nil }
        case .starting, .maybeStarted, .live, .liveOnChannel, .localOnly, .ending, .unreachable:
            if why.endsByItself { finish(.ended(why)) } else { mustEnd = why }
        case .dismissed, .ended:
            break
        }
    }

    /// How long a list may be under way. Ours.
    private static let listDelay = Duration.seconds(60)

    mutating func finish(_ final: ActivityState) {
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

    /// What other streams know of a card.
    struct Standing {
        fileprivate let startAnswers: Int
        fileprivate let isRegistered: Bool
        fileprivate let isOver: Bool
        fileprivate let token: HeldToken?
    }

    var standing: Standing {
        Standing(
            startAnswers: startAnswers,
            isRegistered: activityID != nil,
            isOver: state.isOver,
            token: liveToken
        )
    }

    /// What the device's and the tokens' streams must hear of the change from `before`.
    func tell(_ relays: inout [Relay], since before: Standing, order: OrderID) {
        for message in deviceMessages(since: before, order: order) { relays.append(.toDevice(device, message)) }
        let token = liveToken
        if token != before.token { relays += tokenMessages(from: before.token, to: token, order: order) }
    }

    /// The device stream keeps the places and the start token.
    private func deviceMessages(since before: Standing, order: OrderID) -> [Relay.DeviceMessage] {
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
        if activityID != nil, !before.isRegistered || before.isOver, !state.isOver {
            messages.append(.cardLive(order, incarnation: incarnation))
        }
        if state.isOver, !before.isOver {
            messages.append(.cardEnded(order, incarnation: incarnation))
        }
        return messages
    }
}
