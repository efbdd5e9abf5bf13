/// All rules of the push decision (engine rules, section 5).
extension Activity {
    func decide(_ situation: borrowing Situation, _ policy: Policy) -> Verdict {
        switch state {
        case .none: decideStart(situation, policy)
        case .liveOnChannel: stay(.nothing, mustEnd.map { .endedEarly($0) } ?? .toldByChannel)
        case .maybeStarted where listens, .unreachable where listens: stay(.nothing, .toldByChannel)
        case .starting, .maybeStarted, .live, .ending, .unreachable: decideShown(situation, policy)
        case .localOnly: stay(.nothing, .appRunsIt)
        case .dismissed: stay(.nothing, .dismissed)
        case .ended: farewell == .atRisk ? repeatEnd(situation, policy) : stay(.nothing, .alreadyEnded)
        }
    }

    // MARK: - Start

    private func decideStart(_ situation: borrowing Situation, _ policy: Policy) -> Verdict {
        if startInFlight { return stay(.wait, .startInFlight, keeping: slot) }
        if let obstacle = obstacleToStart(situation, policy) { return obstacle }
        switch grant {
        case .none:
            return ask()
        case .requested:
            return stay(.wait, .startRequested)
        case .refused(let until):
            if let until, until <= situation.now { return ask() }
            return until == nil ? stay(.nothing, .refusedByDevice) : stay(.wait, .startBudgetSpent)
        case .granted:
            switch situation.channel {
            case .token: return start(situation, policy)
            case .wait: return stay(.wait, .channelOpening)
            case .use(let channel): return start(situation, policy, on: channel)
            }
        }
    }

    private func obstacleToStart(_ situation: borrowing Situation, _ policy: Policy) -> Verdict? {
        let now = situation.now
        if situation.phase.isFinal { return stay(.nothing, .finishedBeforeStart) }
        if situation.phase.progress < policy.startAt.progress { return stay(.wait, .beforeStartPhase) }
        if let scheduledFor = situation.scheduledFor, now < scheduledFor - policy.scheduleLead {
            return stay(.wait, .beforeSchedule)
        }
        guard let phone = situation.phone else { return stay(.nothing, .noDevice) }
        if !phone.activitiesEnabled { return stay(.nothing, .switchedOff) }
        if !phone.hasStartToken { return stay(.nothing, .noStartToken) }
        if let limit = policy.maxStartAge, let since = situation.since, since < now - limit, !situation.others.giveWay {
            return stay(.nothing, .tooOld)
        }
        if !policy.contract.startsByPush { return stay(.nothing, .startedByAppOnly) }
        if let types = policy.contract.attributesTypes, let type = settings?.attributesType, !types.contains(type) {
            return stay(.nothing, .otherAttributesType)
        }
        if let forbidden = situation.others.forbid { return stay(.nothing, forbidden) }
        if policy.contract.holdsUntilETA, situation.content.eta == nil { return stay(.wait, .etaUnknown) }
        if refusedDigest != nil { return stay(.nothing, .refusedForGood) }
        // One start per incarnation and one repeat (rule 2), of those that may have reached APNs.
        if startClaims - startsUnsent >= 2 { return stay(.nothing, .startRefused) }
        return nil
    }

    private func ask() -> Verdict {
        var verdict = stay(.wait, .startRequested)
        verdict.asksForStart = true
        return verdict
    }

    private func start(
        _ situation: borrowing Situation,
        _ policy: Policy,
        on channel: ChannelID? = nil
    ) -> Verdict {
        let content = situation.content
        var alerts: Alerts = .start
        if content.phase == .courierWaiting { alerts.insert(.courierWaiting) }
        if content.attemptFailed { alerts.insert(.attemptFailed) }
        let reason: Reason =
            switch startResult {
            case nil: .phaseReached
            case .refused, .tokenDead, .accepted: .repeatAfterRefusal
            case .lost: .repeatAfterMissing
            }
        var plan = Plan(.start, content, priority: 10, alerts: alerts, reason: reason)
        plan.channel = channel
        return push(plan, situation, policy)
    }

    // MARK: - Update

    private func decideShown(_ situation: borrowing Situation, _ policy: Policy) -> Verdict {
        // The app may register a card before the order's first event: there is nothing to show yet.
        if situation.revision == 0, mustEnd == nil { return stay(.wait, .orderUnknown) }
        if mustEnd != nil || situation.phase.isFinal { return end(situation, policy) }
        let content = situation.content
        guard let change = visibleChange(situation, policy) else { return keepFresh(situation, policy) }
        if refusedDigest == situation.digest { return stay(.nothing, .refusedForGood) }
        let alerts = alertsOwed(situation, policy)
        var plan = Plan(.update, content, priority: change.isUrgent ? 10 : 5, alerts: alerts, reason: change.reason)
        if !alerts.isEmpty { plan.priority = 10 }
        plan.isReserved = change.reason == .promiseBroken || content.phase == .courierWaiting
        if change.reason == .etaMoved, let etaSentAt { plan.notBefore = etaSentAt + policy.etaSpacing }
        return push(plan, situation, policy)
    }

    private struct Change {
        let reason: Reason
        var isUrgent = false
    }

    /// Why the phone would show something else; nil: it would not (rule 4).
    private func visibleChange(_ situation: borrowing Situation, _ policy: Policy) -> Change? {
        guard let shown else { return Change(reason: reasonToTellAgain, isUrgent: true) }
        if shown.digest == situation.digest { return nil }
        let content = situation.content
        if shown.phase != content.phase { return Change(reason: .phaseChanged, isUrgent: true) }
        if content.isStale, !shown.isStale { return Change(reason: .promiseBroken, isUrgent: true) }
        if shown.isStale, !content.isStale { return Change(reason: .confirmedAgain) }
        var withShownETA = content
        withShownETA.eta = shown.eta
        withShownETA.isLate = shown.isLate
        guard withShownETA.digest == shown.digest else { return Change(reason: .detailsChanged) }
        guard let old = shown.eta, let new = content.eta, shown.isLate == content.isLate else {
            return Change(reason: .etaMoved)
        }
        let moved = new > old ? new - old : old - new
        return moved >= policy.etaStep ? Change(reason: .etaMoved) : nil
    }

    /// Nobody knows what is shown.
    private var reasonToTellAgain: Reason {
        if attempts > 0 { return .answerLost }
        return incarnation == Channel.incarnation ? .phoneJoined : .tokenArrived
    }

    /// The same content again: before the system greys a card whose order was confirmed since, and where minutes pass.
    private func keepFresh(_ situation: borrowing Situation, _ policy: Policy) -> Verdict {
        guard let shown, hasToken, shown.digest != refusedDigest else { return stay(.nothing, .nothingVisible) }
        let (refresh, minutes) = (refreshDue(shown, situation, policy), minutesDue(shown, situation, policy))
        let isRefresh = refresh.map { refresh in minutes.map { refresh.at <= $0.at } ?? true } ?? false
        guard let first = isRefresh ? refresh : minutes else { return stay(.nothing, .nothingVisible) }
        var plan = Plan(.update, situation.content, priority: 5, alerts: [], reason: first.reason)
        plan.notBefore = first.at
        return push(plan, situation, policy)
    }

    private func refreshDue(
        _ shown: Shown,
        _ situation: borrowing Situation,
        _ policy: Policy
    ) -> (reason: Reason, at: Instant)? {
        guard situation.confirmedAt > shown.at, let until = situation.promise.until, until > shown.staleAt else {
            return nil
        }
        let window = shown.staleAt - shown.at
        return (.refresh, shown.at + window * policy.refreshAfterPercent / 100)
    }

    private func minutesDue(
        _ shown: Shown,
        _ situation: borrowing Situation,
        _ policy: Policy
    ) -> (reason: Reason, at: Instant)? {
        guard policy.contract.showsMinutes, let eta = shown.eta else { return nil }
        let number = ContractDemands.minutes(until: eta, at: shown.at)
        guard number > 0 else { return nil }
        let next = max(0, number - ContractDemands.minutesStep(from: number))
        return (.minutesPassed, eta - .seconds(60) * next)
    }

    // MARK: - End

    private func end(_ situation: borrowing Situation, _ policy: Policy) -> Verdict {
        let phase = situation.phase
        let reason = reasonToEnd(situation)
        let isOfOrder = reason == .ended(phase) && phase.isFinal
        var plan = Plan(
            .end,
            situation.content,
            priority: 10,
            alerts: isOfOrder ? alertsOwed(situation, policy) : [],
            reason: reason
        )
        plan.isReserved = true
        plan.dismissAfter = dismissal(reason, phase, policy)
        return push(plan, situation, policy)
    }

    /// An order that ended while its card was about to go early ends the card itself.
    private func reasonToEnd(_ situation: borrowing Situation) -> Reason {
        let phase = situation.phase
        guard let mustEnd, !(phase.isFinal && (mustEnd.isOfOrder || mustEnd.isOfAge)) else { return .ended(phase) }
        return .endedEarly(mustEnd)
    }

    private func dismissal(_ reason: Reason, _ phase: Phase, _ policy: Policy) -> Duration {
        if reason == .ended(phase), phase.isFinal {
            return phase == .delivered ? policy.dismissAfterDelivered : policy.dismissAfterOther
        }
        return mustEnd?.isOfAge == true ? policy.dismissAfterOther : .zero
    }

    private func repeatEnd(_ situation: borrowing Situation, _ policy: Policy) -> Verdict {
        guard let shown, tokenGeneration > 0 else { return stay(.nothing, .alreadyEnded) }
        // What was accepted is said again, whatever became of the order since.
        let isSame = situation.phase == shown.phase
        let content = isSame ? situation.content : Content(phase: shown.phase)
        var plan = Plan(.end, content, priority: 5, alerts: [], reason: .endRepeated)
        plan.notBefore = shown.at + policy.endRepeatAfter
        let stays = shown.phase.isFinal ? dismissal(.ended(shown.phase), shown.phase, policy) : .zero
        plan.dismissAfter = max(stays - policy.endRepeatAfter, .zero)
        return push(plan, situation, policy)
    }

    // MARK: - Alerts

    /// Alerts of the present phase that have not sounded and are not too old (rule 5).
    private func alertsOwed(_ situation: borrowing Situation, _ policy: Policy) -> Alerts {
        let freshFrom = situation.now - policy.alertMaxAge
        var owed: Alerts = []
        if let since = situation.since, since >= freshFrom {
            if situation.phase == .courierWaiting { owed.insert(.courierWaiting) }
            if situation.phase == .cancelled { owed.insert(.cancelled) }
        }
        if !situation.phase.isFinal, let failedAt = situation.attemptFailedAt, failedAt >= freshFrom {
            owed.insert(.attemptFailed)
        }
        // What an ordinary alert told already is shown without a sound.
        owed.subtract(situation.told)
        return owed.subtracting(rang)
    }
}
