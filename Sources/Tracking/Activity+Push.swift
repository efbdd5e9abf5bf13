/// What a rule wants to send; spacing, budgets and dates follow.
struct Plan {
    let verb: Verb
    let content: Content
    var priority: Int
    let alerts: Alerts
    let reason: Reason
    /// It may use what the budget keeps for things that must not wait (rule 5).
    var isReserved = false
    var notBefore: Instant?
    var dismissAfter: Duration?
    /// The channel that a start names.
    var channel: ChannelID?

    init(_ verb: Verb, _ content: Content, priority: Int, alerts: Alerts, reason: Reason) {
        self.verb = verb
        self.content = content
        self.priority = priority
        self.alerts = alerts
        self.reason = reason
    }
}

/// From a plan to what goes into the card's slot.
extension Activity {
    func stay(_ kind: Decision.Kind, _ reason: Reason, keeping kept: Shared<Intention>? = nil) -> Verdict {
        Verdict(
            decision: Decision(device: device, incarnation: incarnation, kind: kind, reason: reason),
            slot: kept
        )
    }

    func push(_ plan: Plan, _ situation: borrowing Situation, _ policy: Policy) -> Verdict {
        // A device that no customer of the order has, and of which nothing is known, is shown nothing.
        guard let settings else { return stay(.wait, .noDevice) }
        // Obligations of an unsent intention are merged into the newer one, never lost.
        let unsent = slot.flatMap { $0.value.verb == plan.verb ? $0 : nil }
        let priority = priority(max(plan.priority, unsent?.value.priority ?? 0), plan, situation, policy)
        let due = dueAt(plan, situation, policy)
        let stale = staleAfter(plan, from: due ?? situation.now, priority: priority, situation, policy)
        let next = Intention(
            revision: lastRevision + 1,
            verb: plan.verb,
            priority: priority,
            alerts: plan.alerts,
            alertsUntil: alertsUntil(plan, situation, policy),
            content: plan.content,
            attributes: situation.attributes,
            orderRevision: situation.revision,
            asOf: situation.confirmedAt,
            dueAt: due,
            staleAfter: stale,
            expiresAfter: expiresAfter(plan, stale: stale, situation, policy),
            dismissAfter: plan.dismissAfter,
            reason: plan.reason,
            settings: settings,
            channel: plan.channel ?? channel
        )
        return Verdict(
            decision: Decision(
                device: device,
                incarnation: incarnation,
                kind: due == nil ? .wait : .sending(plan.verb, plan.reason),
                reason: due == nil ? .tokenAwaited : plan.reason,
                tokenKind: tokenKind(plan.verb),
                priority: priority,
                alerts: plan.alerts,
                digest: plan.content == situation.content ? situation.digest : plan.content.digest,
                heldUntil: due.flatMap { $0 > situation.now ? $0 : nil }
            ),
            slot: Shared(unsent.map { $0.value.kept(insteadOf: next) } ?? next)
        )
    }

    private func tokenKind(_ verb: Verb) -> TokenKind {
        if incarnation == Channel.incarnation { return .channel }
        return verb == .start ? .start : .update
    }

    /// Priority 10 as far as the hour's budget goes; its last part is for what must not wait.
    private func priority(_ wanted: Int, _ plan: Plan, _ situation: borrowing Situation, _ policy: Policy) -> Int {
        guard wanted == 10, plan.verb != .start else { return wanted }
        let isFrequent = settings?.frequentPushes ?? false
        let budget = isFrequent ? policy.urgentPerHourFrequent : policy.urgentPerHour
        let used = urgentSentAt.count { $0 > situation.now - .seconds(3600) }
        return used < (plan.isReserved ? budget : budget - policy.urgentReserved) ? 10 : 5
    }

    /// Not before the token allows it; nil without a token. An end is never throttled.
    private func dueAt(_ plan: Plan, _ situation: borrowing Situation, _ policy: Policy) -> Instant? {
        var due = max(situation.now, plan.notBefore ?? situation.now)
        if let failedAt { due = max(due, failedAt + policy.retryDelay(attempt: attempts)) }
        switch plan.verb {
        case .start:
            due = max(due, grantedFrom ?? due)
            return askedAt.map { max(due, $0 + policy.appStartWait) } ?? due
        case .update:
            guard hasToken else { return nil }
            return lastSentAt.map { max(due, $0 + policy.spacing) } ?? due
        case .end:
            return hasToken ? due : nil
        case .alert, .openChannel, .closeChannel:
            return due
        }
    }

    /// How long the content may be believed once it is sent (rule 6), never less than the floor of its priority.
    private func staleAfter(
        _ plan: Plan,
        from due: Instant,
        priority: Int,
        _ situation: borrowing Situation,
        _ policy: Policy
    ) -> Duration {
        // A final state stays true for the rest of the card's life.
        if plan.verb == .end { return endExpiration(from: due, policy) }
        let floor = Intention.staleFloor(priority: priority)
        guard !plan.content.isStale, let until = situation.promise.until else { return floor }
        var stale = until - due
        if policy.contract.showsMinutes, let eta = plan.content.eta {
            let number = ContractDemands.minutes(until: eta, at: due)
            stale = min(stale, .seconds(120) * ContractDemands.minutesStep(from: number))
        }
        return max(stale, floor)
    }

    private func expiresAfter(
        _ plan: Plan,
        stale: Duration,
        _ situation: borrowing Situation,
        _ policy: Policy
    ) -> Duration {
        switch plan.verb {
        case .start: min(policy.startExpiration, stale)
        case .update:
            plan.priority == 10 ? stale : min(policy.driftExpiration, stale)
        case .end, .alert, .openChannel, .closeChannel: stale
        }
    }

    /// A start always rings; the alert of an update or end must be fresh when it leaves.
    private func alertsUntil(_ plan: Plan, _ situation: borrowing Situation, _ policy: Policy) -> Instant? {
        guard plan.verb != .start, !plan.alerts.isEmpty else { return nil }
        let happened = plan.alerts == .attemptFailed ? situation.attemptFailedAt : situation.since
        return happened.map { $0 + policy.alertMaxAge }
    }

    /// An end must reach a phone that was offline for long: until the card's life is over.
    private func endExpiration(from due: Instant, _ policy: Policy) -> Duration {
        guard let startedAt else { return policy.confirmationLimit }
        return max(startedAt + policy.confirmationLimit - due, Intention.staleFloor(priority: 5))
    }
}

extension Decision.Kind {
    /// What a push is called, by why it is sent.
    static func sending(_ verb: Verb, _ reason: Reason) -> Decision.Kind {
        switch verb {
        case .start: return .start
        case .update:
            if reason == .promiseBroken { return .markStale }
            return reason == .refresh || reason == .minutesPassed ? .refresh : .update
        case .end: return .end
        case .alert: return .alert
        case .openChannel: return .openChannel
        case .closeChannel: return .closeChannel
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
