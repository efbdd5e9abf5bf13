extension OrderStream {
    /// Decides for every device of the order and every card it has.
    ///
    /// `recordAll` records also decisions to do nothing, as staff expect beside a partner's fact.
    mutating func decideAll(now: Instant, policy: Policy, recordAll: Bool, into outcome: inout Outcome) {
        openCards(policy)
        for index in activities.indices {
            if let device = devices[activities[index].device] { activities[index].settings = device.settings }
            let card = activities[index]
            let situation = Situation(self, device: devices[card.device], now: now, policy: policy)
            let verdict = card.decide(situation)
            let moved = settle(index, verdict, into: &outcome)
            if recordAll || moved || verdict.decision.reason != card.reason {
                outcome.decisions.append(verdict.decision)
            }
            activities[index].reason = verdict.decision.reason
        }
    }

    /// A card is kept for every device once the order has reached the phase in which it could start.
    private mutating func openCards(_ policy: Policy) {
        guard order.phase.isFinal || order.phase.progress >= policy.startAt.progress else { return }
        for device in devices.keys.sorted(by: { $0.value.precedesByBytes($1.value) }) {
            let newest = activities.filter { $0.device == device }.max { $0.incarnation < $1.incarnation }
            guard let newest else {
                add(Activity(device: device, incarnation: 1))
                continue
            }
            if mayFollow(newest, policy) { add(Activity(device: device, incarnation: newest.incarnation + 1)) }
        }
    }

    /// Reopened after an end, switched on again, the same owner back, a long life or a dead token where the policy says
    /// so: the only ways to another card by push (engine rules, section 4).
    private func mayFollow(_ card: Activity, _ policy: Policy) -> Bool {
        guard !order.phase.isFinal, devices[card.device]?.settings.activitiesEnabled ?? false else { return false }
        switch card.state {
        case .ended(let why):
            return why.allowsNextCard
        case .starting, .live, .localOnly:
            return card.rollsOver
        case .unreachable:
            // Once: a second token that dies is no accident.
            let isFirst = !activities.contains { $0.device == card.device && $0.tokenDied && $0 != card }
            return card.rollsOver || (policy.restartAfter410 && card.tokenDied && isFirst)
        case .none, .maybeStarted, .ending, .dismissed:
            return false
        }
    }

    /// Puts a verdict into the card; true when its intention changed.
    private mutating func settle(_ index: Int, _ verdict: Verdict, into outcome: inout Outcome) -> Bool {
        let before = activities[index].intention
        activities[index].intention = verdict.intention
        activities[index].lastRevision = max(activities[index].lastRevision, verdict.intention?.revision ?? 0)
        if verdict.asksForStart {
            activities[index].grant = .requested
            let card = activities[index]
            outcome.relays.append(.toDevice(card.device, .startRequested(id, incarnation: card.incarnation)))
        }
        if activities[index].holdsPlaceInVain(after: verdict.decision, orderIsFinal: order.phase.isFinal) {
            activities[index].grant = .none
            let card = activities[index]
            outcome.relays.append(.toDevice(card.device, .cardEnded(id, incarnation: card.incarnation)))
        }
        return before != verdict.intention
    }

    /// Whether something of this order is still on its way: an answer of another stream, a push, a token.
    package func hasPending(at now: Instant, tokenWait: Duration) -> Bool {
        if !closed, links.values.contains(false) { return true }
        return activities.contains { $0.isPending(at: now, tokenWait: tokenWait) }
    }
}

extension Activity {
    /// The device keeps a place, or a wait for one, for a card that will not start: others should have it.
    func holdsPlaceInVain(after decision: Decision, orderIsFinal: Bool) -> Bool {
        guard state == .none, !startInFlight, decision.kind == .nothing else { return false }
        switch grant {
        case .none, .requested: return false
        case .granted: return true
        case .refused: return orderIsFinal
        }
    }

    func isPending(at now: Instant, tokenWait: Duration) -> Bool {
        if grant == .requested, state == .none { return true }
        if startInFlight { return true }
        if let due = intention?.dueAt, due <= now + .seconds(2) { return true }
        switch state {
        case .starting, .ending:
            return !hasToken && (startedAt.map { now < $0 + tokenWait } ?? false)
        case .none, .maybeStarted, .live, .localOnly, .unreachable, .dismissed, .ended:
            return false
        }
    }
}
