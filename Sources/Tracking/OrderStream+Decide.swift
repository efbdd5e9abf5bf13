extension OrderStream {
    /// Decides for every device of the order and every card it has, and sets the cards' alarms.
    ///
    /// `recordAll` records also decisions to do nothing, as staff expect beside a partner's fact.
    mutating func decideAll(
        now: Instant,
        policy: Policy,
        recordAll: Bool,
        after timer: TimerRang?,
        into outcome: inout Outcome
    ) {
        openCards(policy)
        var situation = Situation(self, now: now, policy: policy)
        for index in activities.indices {
            let device = devices[activities[index].device]
            look(at: index, device, policy, &situation)
            if let device { activities[index].learn(device.settings) }
            let message = activities[index].reconsider(
                situation,
                policy,
                id,
                recordAll: recordAll,
                into: &outcome.decisions
            )
            if let message { outcome.relays.append(.toDevice(activities[index].device, message)) }
            activities[index].setAlarm(situation, policy, after: timer)
        }
    }

    /// A card is kept for every device once the order has reached the phase in which it could start.
    private mutating func openCards(_ policy: Policy) {
        guard order.phase.isFinal || order.phase.progress >= policy.startAt.progress else { return }
        for device in devices.keys {
            guard let newest = activities.newest(of: device) else {
                add(Activity(device: device, incarnation: 1))
                continue
            }
            if mayFollow(newest, policy) {
                add(Activity(device: device, incarnation: activities[newest].incarnation + 1))
            }
        }
    }

    /// Reopened after an end, switched on again, the same owner back, a long life or a dead token where the policy says
    /// so: the only ways to another card by push (engine rules, section 4).
    private func mayFollow(_ index: Int, _ policy: Policy) -> Bool {
        guard !order.phase.isFinal, makesRoom(index, policy) else { return false }
        return devices[activities[index].device]?.settings.activitiesEnabled ?? false
    }

    /// The device's newest card leaves its place to another.
    private func makesRoom(_ index: Int, _ policy: Policy) -> Bool {
        switch activities[index].state {
        case .ended(let why):
            return why.allowsNextCard
        case .starting, .live, .localOnly:
            return activities[index].rollsOver
        case .unreachable:
            if activities[index].rollsOver { return true }
            // Once: a second token that dies is no accident.
            let device = activities[index].device
            let deaths = activities.indices.count { activities[$0].device == device && activities[$0].tokenDied }
            return policy.restartAfter410 && activities[index].tokenDied && deaths == 1
        case .none, .maybeStarted, .liveOnChannel, .ending, .dismissed:
            return false
        }
    }

    /// Whether something of this order is still on its way: an answer of another stream, a push, a token.
    package func hasPending(at now: Instant, tokenWait: Duration) -> Bool {
        if !closed, links.values.contains(false) { return true }
        if let channel, channel.isPending(at: now) { return true }
        if fallbacks.values.contains(where: { $0.isPending(at: now) }) { return true }
        return activities.indices.contains { activities[$0].isPending(at: now, tokenWait: tokenWait) }
    }
}

extension Activity {
    /// A card stays what the app made that started it, however often that is updated (engine rules, section 7).
    mutating func learn(_ news: DeviceSettings) {
        var news = news
        if let settings, state != .none || startInFlight { news.appBuild = settings.appBuild }
        if settings != news { settings = news }
    }

    /// Decides what becomes of the card and puts that into it; answers what its device must hear of it.
    mutating func reconsider(
        _ situation: borrowing Situation,
        _ policy: Policy,
        _ order: OrderID,
        recordAll: Bool,
        into decisions: inout [Decision]
    ) -> Relay.DeviceMessage? {
        let verdict = decide(situation, policy)
        let moved = slot != verdict.slot
        slot = verdict.slot
        if state == .none, !startInFlight { channel = slot?.value.channel }
        lastRevision = max(lastRevision, verdict.slot?.value.revision ?? 0)
        if recordAll || moved || verdict.decision.reason != reason { decisions.append(verdict.decision) }
        reason = verdict.decision.reason
        if verdict.asksForStart {
            grant = .requested
            return .startRequested(order, incarnation: incarnation)
        }
        guard holdsPlaceInVain(after: verdict.decision, orderIsFinal: situation.phase.isFinal) else { return nil }
        grant = .none
        return .cardEnded(order, incarnation: incarnation)
    }

    /// The device keeps a place, or a wait for one, for a card that will not start: others should have it.
    func holdsPlaceInVain(after decision: Decision, orderIsFinal: Bool) -> Bool {
        guard state == .none, !startInFlight, decision.kind == .nothing else { return false }
        switch grant {
        case .none, .requested: return false
        case .granted: return true
        case .refused: return orderIsFinal
        }
    }

    @inline(__always)
    func isPending(at now: Instant, tokenWait: Duration) -> Bool {
        if grant == .requested, state == .none { return true }
        if startInFlight { return true }
        if let due = slot?.value.dueAt, due <= now + .seconds(2) { return true }
        switch state {
        case .starting, .ending:
            return !hasToken && (startedAt.map { now < $0 + tokenWait } ?? false)
        case .none, .maybeStarted, .live, .liveOnChannel, .localOnly, .unreachable, .dismissed, .ended:
            return false
        }
    }
}
