/// Everything a decision about one card may look at.
struct Situation {
    let order: Order
    let asOf: Instant
    /// The card's device; nil when it no longer belongs to a customer of the order.
    let device: DeviceSnapshot?
    let now: Instant
    let policy: Policy
}

/// What was decided for a card, and what that leaves in its slot.
struct Verdict {
    var decision: Decision
    var intention: Intention?
    /// The device stream must be asked for a place.
    var asksForStart = false
}

/// All rules of the push decision (engine rules, section 5).
extension Activity {
    func decide(_ situation: Situation) -> Verdict {
        switch state {
        case .none: decideStart(situation)
        case .starting, .maybeStarted, .live, .ending, .unreachable: decideShown(situation)
        case .localOnly: stay(.nothing, .appRunsIt)
        case .dismissed: stay(.nothing, .dismissed)
        case .ended: stay(.nothing, .alreadyEnded)
        }
    }

    // MARK: - Start

    private func decideStart(_ situation: Situation) -> Verdict {
        if startInFlight { return stay(.wait, .startInFlight, keeping: intention) }
        if let obstacle = obstacleToStart(situation) { return obstacle }
        switch grant {
        case .none:
            return ask()
        case .requested:
            return stay(.wait, .startRequested)
        case .refused(let until):
            if let until, until <= situation.now { return ask() }
            return stay(.nothing, .refusedByDevice)
        case .granted:
            return start(situation)
        }
    }

    private func obstacleToStart(_ situation: Situation) -> Verdict? {
        let (order, policy, now) = (situation.order, situation.policy, situation.now)
        if order.phase.isFinal { return stay(.nothing, .finishedBeforeStart) }
        if order.phase.progress < policy.startAt.progress { return stay(.wait, .beforeStartPhase) }
        if let scheduledFor = order.scheduledFor, now < scheduledFor - .seconds(3600) {
            return stay(.wait, .beforeSchedule)
        }
        guard let device = situation.device else { return stay(.nothing, .noDevice) }
        if !device.settings.activitiesEnabled { return stay(.nothing, .switchedOff) }
        if !device.hasStartToken { return stay(.nothing, .noStartToken) }
        if let limit = policy.maxStartAge, let since = order.since, since < now - limit {
            return stay(.nothing, .tooOld)
        }
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

    private func start(_ situation: Situation) -> Verdict {
        let content = Content(situation.order)
        var alerts: Alerts = .start
        if content.phase == .courierWaiting { alerts.insert(.courierWaiting) }
        if content.attemptFailed { alerts.insert(.attemptFailed) }
        let reason: Reason =
            switch startResult {
            case nil: .phaseReached
            case .refused, .tokenDead, .accepted: .repeatAfterRefusal
            case .lost: .repeatAfterMissing
            }
        return push(.start, content, priority: 10, alerts: alerts, reason: reason, situation)
    }

    // MARK: - Update and end

    private func decideShown(_ situation: Situation) -> Verdict {
        // The app may register a card before the order's first event: there is nothing to show yet.
        if situation.order.revision == 0, mustEnd == nil { return stay(.wait, .orderUnknown) }
        if mustEnd != nil || situation.order.phase.isFinal { return end(situation) }
        let content = Content(situation.order)
        guard let reason = visibleChange(to: content, etaStep: situation.policy.etaStep) else {
            return stay(.nothing, .nothingVisible)
        }
        if refusedDigest == content.digest { return stay(.nothing, .refusedForGood) }
        let phaseChanged = shown?.phase != content.phase
        let alerts = alertsOwed(situation)
        let priority = phaseChanged || !alerts.isEmpty ? 10 : 5
        return push(.update, content, priority: priority, alerts: alerts, reason: reason, situation)
    }

    /// Why the phone would show something else; nil: it would not (rule 4).
    private func visibleChange(to content: Content, etaStep: Duration) -> Reason? {
        guard let shown else { return attempts > 0 ? .answerLost : .tokenArrived }
        if shown.digest == content.digest { return nil }
        if shown.phase != content.phase { return .phaseChanged }
        var withShownETA = content
        withShownETA.eta = shown.eta
        guard withShownETA.digest == shown.digest else { return .detailsChanged }
        guard let old = shown.eta, let new = content.eta else { return .etaMoved }
        let moved = new > old ? new - old : old - new
        return moved >= etaStep ? .etaMoved : nil
    }

    private func end(_ situation: Situation) -> Verdict {
        let order = situation.order
        var reason = Reason.ended(order.phase)
        var dismissAfter =
            order.phase == .delivered
            ? situation.policy.dismissAfterDelivered : situation.policy.dismissAfterOther
        let goesEarly = mustEnd.map { !$0.isOfOrder || !order.phase.isFinal } ?? false
        if goesEarly, let mustEnd {
            reason = Reason.endedEarly(mustEnd)
            dismissAfter = .zero
        }
        return push(
            .end,
            Content(order),
            priority: 10,
            alerts: goesEarly ? [] : alertsOwed(situation),
            reason: reason,
            dismissAfter: dismissAfter,
            situation
        )
    }

    /// Alerts of the present phase that have not sounded and are not too old (rule 5).
    private func alertsOwed(_ situation: Situation) -> Alerts {
        let order = situation.order
        let freshFrom = situation.now - situation.policy.alertMaxAge
        var owed: Alerts = []
        if let since = order.since, since >= freshFrom {
            if order.phase == .courierWaiting { owed.insert(.courierWaiting) }
            if order.phase == .cancelled { owed.insert(.cancelled) }
        }
        if !order.phase.isFinal, let failedAt = order.attemptFailedAt, failedAt >= freshFrom {
            owed.insert(.attemptFailed)
        }
        return owed.subtracting(rang)
    }

    // MARK: - Making verdicts

    private func stay(_ kind: Decision.Kind, _ reason: Reason, keeping kept: Intention? = nil) -> Verdict {
        Verdict(
            decision: Decision(device: device, incarnation: incarnation, kind: kind, reason: reason),
            intention: kept
        )
    }

    private func push(
        _ verb: Verb,
        _ content: Content,
        priority: Int,
        alerts: Alerts,
        reason: Reason,
        dismissAfter: Duration? = nil,
        _ situation: Situation
    ) -> Verdict {
        // Obligations of an unsent intention are merged into the newer one, never lost.
        let unsent = intention.flatMap { $0.verb == verb ? $0 : nil }
        let priority = max(priority, unsent?.priority ?? 0)
        let due = dueAt(verb, situation)
        // A final state stays true for the rest of the card's life.
        let stale = verb == .end ? situation.policy.endExpiration : staleAfter(content, priority: priority, situation)
        let next = Intention(
            revision: lastRevision + 1,
            verb: verb,
            priority: priority,
            alerts: alerts,
            content: content,
            attributes: CardAttributes(situation.order),
            orderRevision: situation.order.revision,
            asOf: situation.asOf,
            dueAt: due,
            staleAfter: stale,
            expiresAfter: expiresAfter(verb, reason, stale: stale, situation.policy),
            dismissAfter: dismissAfter,
            reason: reason,
            settings: situation.device?.settings ?? settings ?? DeviceSettings()
        )
        return Verdict(
            decision: Decision(
                device: device,
                incarnation: incarnation,
                kind: kind(verb, waits: due == nil),
                reason: due == nil ? .tokenAwaited : reason,
                tokenKind: verb == .start ? .start : .update,
                priority: priority,
                alerts: alerts,
                digest: content.digest,
                heldUntil: due.flatMap { $0 > situation.now ? $0 : nil }
            ),
            intention: unsent.map { $0.kept(insteadOf: next) } ?? next
        )
    }

    private func kind(_ verb: Verb, waits: Bool) -> Decision.Kind {
        if waits { return .wait }
        switch verb {
        case .start: return .start
        case .update: return .update
        case .end: return .end
        }
    }

    /// Not before the token allows it; nil without a token. An end is never throttled.
    private func dueAt(_ verb: Verb, _ situation: Situation) -> Instant? {
        var due = situation.now
        if let failedAt { due = max(due, failedAt + situation.policy.retryDelay(attempt: attempts)) }
        switch verb {
        case .start:
            return askedAt.map { max(due, $0 + situation.policy.appStartWait) } ?? due
        case .update:
            guard hasToken else { return nil }
            return lastSentAt.map { max(due, $0 + situation.policy.spacing) } ?? due
        case .end:
            return hasToken ? due : nil
        }
    }

    /// How long the content may be believed (rule 6), never less than the floor of its priority.
    private func staleAfter(_ content: Content, priority: Int, _ situation: Situation) -> Duration {
        let quiet = situation.policy.quietWindow(content.phase)
        let promised = content.eta.map { $0 + .seconds(300) - situation.now } ?? quiet
        return max(min(quiet, promised), priority == 10 ? .seconds(30) : .seconds(120))
    }

    private func expiresAfter(_ verb: Verb, _ reason: Reason, stale: Duration, _ policy: Policy) -> Duration {
        switch verb {
        case .start: min(policy.startExpiration, stale)
        case .update: reason == .phaseChanged || reason == .tokenArrived ? stale : min(.seconds(120), stale)
        case .end: policy.endExpiration
        }
    }
}

extension Intention {
    /// `next`, under this revision where it would show the same, so that an answer on its way still settles it.
    func kept(insteadOf next: Intention) -> Intention {
        guard
            content == next.content, priority == next.priority, alerts == next.alerts, attributes == next.attributes,
            settings == next.settings, dismissAfter == next.dismissAfter
        else { return next }
        var same = next
        same.revision = revision
        return same
    }
}
