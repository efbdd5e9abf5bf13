/// Decisions about the order's channel (engine rules, rule 16), after those about its cards.
extension OrderStream {
    /// What a card may start with.
    enum ChannelOffer {
        /// A token of its own.
        case token
        /// There will be a channel in a moment.
        case wait
        case use(ChannelID)
    }

    /// Of an app that broadcasts.
    func channelOffer(_ settings: DeviceSettings?, at now: Instant) -> ChannelOffer {
        guard let settings, settings.hearsChannels else { return .token }
        guard let channel else { return .wait }
        guard channel.fits(settings) else { return .token }
        switch channel.state {
        case .opening, .closed: return .wait
        case .open(let id): return channel.isLeaving(at: now) ? .wait : .use(id)
        case .failed: return .token
        }
    }

    mutating func decideChannel(
        now: Instant,
        policy: Policy,
        recordAll: Bool,
        after timer: TimerRang?,
        into outcome: inout Outcome
    ) {
        guard policy.broadcast || channel != nil else { return }
        let waiting = waitingForChannel
        guard var channel = channel ?? waiting.map({ Channel(for: $0) }) else { return }
        let before = channel.card.intention
        if waiting != nil, channel.state == .closed { channel.state = .opening }
        // New cards after an end, or a start that was under way: they have not heard it.
        if channel.id != nil, channel.card.state.isOver, hasListeners { channel.listen() }
        if !order.phase.isFinal, let why = reasonForAllToGo, !channel.card.state.isOver {
            channel.card.mustEnd = channel.card.mustEnd ?? why
        }
        switch channel.state {
        case .opening:
            channel.want(waiting == nil ? nil : .openChannel, at: now, .channelWanted, self, now: now, policy)
        case .open where hasListeners:
            guard hasAudience else { break }
            let situation = Situation(self, now: now, policy: policy)
            _ = channel.card.reconsider(situation, policy, id, recordAll: recordAll, into: &outcome.decisions)
            channel.card.setAlarm(situation, policy, after: timer)
        case .open:
            channel.card.alarm.armed = nil
            let due = (channel.card.shown?.at ?? now) + policy.channelKept
            channel.want(.closeChannel, at: due, .channelOver, self, now: now, policy)
        case .closed, .failed:
            channel.card.intention = nil
        }
        if let wanted = channel.card.intention, wanted.verb.isOfChannel, before?.verb != wanted.verb {
            outcome.decisions.append(Decision(wanted, now: now))
        }
        self.channel = channel
    }

    /// Of a phone whose card waits for a channel.
    private var waitingForChannel: DeviceSettings? {
        activities.indices.first { activities[$0].reason == .channelOpening && activities[$0].state == .none }
            .flatMap { activities[$0].settings }
    }

    private var hasListeners: Bool { activities.indices.contains { activities[$0].isListening } }

    /// Before a start was answered there is nobody to tell anything: it shows the newest state itself.
    private var hasAudience: Bool { activities.indices.contains { activities[$0].listens && activities[$0].isOnPhone } }

    /// Every card that listens is to go: nobody loses anything by an end for all.
    private var reasonForAllToGo: EndReason? {
        let listening = activities.indices.filter { activities[$0].isListening }
        return listening.allSatisfy { activities[$0].mustEnd != nil }
            ? listening.first.flatMap { activities[$0].mustEnd } : nil
    }

    // MARK: - Answers

    mutating func channelOpened(_ id: ChannelID) { channel?.opened(id) }

    mutating func channelClosed() { channel?.closed() }

    mutating func toldAll(_ push: PushAccepted, into outcome: inout Outcome) {
        let isFinal = order.phase.isFinal
        channel?.card.accepted(push, orderIsFinal: isFinal)
        guard let told = channel?.card.state else { return }
        // A start that has not arrived hears nothing.
        for index in activities.indices where activities[index].listens {
            guard activities[index].isOnPhone else {
                showLast(push.shown, told, on: index)
                continue
            }
            if activities[index].lastKnownStamp < push.shown.stamp {
                change(index, into: &outcome) {
                    $0.shown = push.shown
                    if told.isOver { $0.finish(told) }
                }
            } else if !told.isOver {
                // Started after this was on its way, it drops it as old, and is told again.
                channel?.card.shown = nil
            }
        }
    }

    /// The app told of an end before its push was answered: it was this one, if the card is of the channel's present life.
    private mutating func showLast(_ shown: Shown, _ told: ActivityState, on index: Int) {
        guard told.isOver, activities[index].state == told, activities[index].lastKnownStamp < shown.stamp,
            let startedAt = activities[index].startedAt, let first = channel?.card.startedAt, startedAt >= first
        else { return }
        activities[index].shown = shown
    }

    mutating func channelRefused(_ push: PushRefused, now: Instant, into outcome: inout Outcome) {
        switch push.verb {
        case .openChannel: channel?.openingFailed(push.remedy, now: now)
        case .closeChannel: channel?.closingFailed(push.remedy, now: now)
        case .start, .update, .end, .alert:
            if push.remedy == .forgetToken { return loseChannel(into: &outcome) }
            channel?.card.refused(push, now: now)
            endListeners(into: &outcome)
        }
    }

    mutating func channelUnanswered(_ push: PushLost, now: Instant) {
        switch push.verb {
        // Perhaps there is one now that nobody will use: that costs one of ten thousand, a start without one more.
        case .openChannel: channel?.openingFailed(.retry, now: now)
        case .closeChannel: channel?.closingFailed(.retry, now: now)
        case .start, .update, .end, .alert:
            let phase = order.phase
            channel?.card.lost(push, orderPhase: phase, now: now)
        }
    }

    mutating func channelRang(_ timer: TimerRang, now: Instant, policy: Policy, into outcome: inout Outcome) {
        guard channel?.card.alarm.rings(timer.generation) == true, let card = channel?.card else { return }
        let situation = Situation(self, now: now, policy: policy)
        var wishes = card.wishes(situation, policy)
        while let kind = wishes.next(by: now) { channel?.card.timerRang(kind) }
        endListeners(into: &outcome)
    }

    /// A phone listens from now on, and shows what it was started with: where others were told something else, all are
    /// told the newest state.
    mutating func join(_ start: PushAccepted) {
        guard
            let index = activities.index(start.device, start.incarnation), activities[index].listens,
            var card = channel?.card, !card.state.isOver
        else { return }
        let shown = start.shown
        card.startedAt = card.startedAt ?? shown.at
        card.lastStamp = max(card.lastStamp, shown.stamp)
        let isAlone = activities.indices.count { activities[$0].listens && activities[$0].isOnPhone } == 1
        card.shown = isAlone || card.shown?.digest == shown.digest ? shown : nil
        card.rang.formUnion(start.alerts.subtracting(card.intention?.alerts ?? []))
        channel?.card = card
    }

    /// Whether the app is to end a card itself: it is over, and where nothing of ours can reach it, also one that has to go.
    package func isToEnd(_ card: Activity) -> Bool {
        if card.state.isOver { return true }
        return card.listens ? card.mustEnd != nil : card.state == .unreachable && order.phase.isFinal
    }

    /// A start without an answer may have begun to listen at any moment: whoever does is told the newest state.
    mutating func mayHaveJoined(_ start: PushLost) {
        guard let index = activities.index(start.device, start.incarnation), activities[index].listens else { return }
        channel?.card.shown = nil
    }

    /// Nothing more is told: that is the end of every card that listens.
    private mutating func endListeners(into outcome: inout Outcome) {
        guard let final = channel?.card.state, final.isOver else { return }
        for index in activities.indices where activities[index].listens && activities[index].isOnPhone {
            change(index, into: &outcome) { $0.finish(final) }
        }
    }

    /// APNs knows the channel no more: its listeners cannot be told anything.
    private mutating func loseChannel(into outcome: inout Outcome) {
        channel?.closed()
        for index in activities.indices where activities[index].listens && activities[index].isOnPhone {
            change(index, into: &outcome) { $0.forgetChannel() }
        }
    }
}

extension Channel {
    /// What is asked of APNs for the channel itself; nil: nothing.
    fileprivate mutating func want(
        _ verb: Verb?,
        at due: Instant,
        _ reason: Reason,
        _ stream: OrderStream,
        now: Instant,
        _ policy: Policy
    ) {
        guard let verb, let settings = card.settings else {
            card.intention = nil
            return
        }
        var due = due
        if let wanted = card.intention, wanted.verb == verb, let before = wanted.dueAt { due = before }
        if let failedAt = card.failedAt { due = max(due, failedAt + policy.retryDelay(attempt: card.attempts)) }
        guard card.intention?.verb != verb || card.intention?.dueAt != due else { return }
        card.lastRevision += 1
        card.intention = Intention(
            revision: card.lastRevision,
            verb: verb,
            priority: 10,
            alerts: [],
            content: Content(phase: stream.order.phase),
            attributes: CardAttributes(),
            orderRevision: stream.order.revision,
            asOf: stream.asOf ?? now,
            dueAt: due,
            staleAfter: .zero,
            expiresAfter: .zero,
            dismissAfter: nil,
            reason: reason,
            settings: settings,
            channel: id
        )
    }
}

extension Activity {
    /// Of whatever may have reached the phone for this card, its start or the channel: what is older is dropped there.
    fileprivate var lastKnownStamp: Int64 { max(lastStamp, shown?.stamp ?? 0) }
}

extension Decision {
    /// To ask APNs for a channel, or to delete it.
    fileprivate init(_ intention: Intention, now: Instant) {
        self.init(
            device: Channel.device,
            incarnation: Channel.incarnation,
            kind: intention.verb == .openChannel ? .openChannel : .closeChannel,
            reason: intention.reason,
            tokenKind: .channel,
            heldUntil: intention.dueAt.flatMap { $0 > now ? $0 : nil }
        )
    }
}
