/// Ordinary alerts in the place of cards that do not tell (engine rules, rule 14; docs/decisions/014).
extension OrderStream {
    /// Decides for every device of the order, after its cards: an alert is wanted together with the phase, due a little
    /// later, and withdrawn once a card shows that phase. So there is nothing to wait for by timer.
    ///
    /// `recordAll` records also decisions to do nothing, as staff expect beside a partner's fact.
    mutating func decideFallbacks(now: Instant, policy: Policy, recordAll: Bool, into outcome: inout Outcome) {
        guard policy.fallbackAlert || !fallbacks.isEmpty else { return }
        let isOfPhase = Alerts.fallback(order.phase) != nil
        for device in Set(devices.keys).union(fallbacks.keys).sorted(by: { $0.value.precedesByBytes($1.value) }) {
            var fallback = fallbacks[device] ?? Fallback()
            let before = fallback.intention
            guard isOfPhase || before != nil else { continue }
            let verdict = decide(fallback, for: device, now: now, policy: policy)
            fallback.intention = verdict.intention
            fallback.lastRevision = max(fallback.lastRevision, verdict.intention?.revision ?? 0)
            fallbacks[device] = fallback.isBlank ? nil : fallback
            if recordAll || before != verdict.intention { outcome.decisions.append(verdict.decision) }
        }
    }

    /// What is decided for a device, and what is wanted of its alert then.
    private func decide(
        _ fallback: Fallback,
        for device: DeviceID,
        now: Instant,
        policy: Policy
    ) -> (decision: Decision, intention: Intention?) {
        guard let alert = Alerts.fallback(order.phase), let since = order.since else {
            return stay(device, .alertOutdated)
        }
        if let obstacle = obstacle(to: alert, fallback, device, now: now, policy) { return stay(device, obstacle) }
        let isUrgent = isOutOfReach(device)
        let due = fallback.dueAt(alert, isUrgent: isUrgent, now: now, policy)
        let until = since + policy.alertMaxAge
        guard due <= until else { return stay(device, .alertOutdated) }
        let content = Content(order)
        let next = Intention(
            revision: fallback.lastRevision + 1,
            verb: .alert,
            priority: 10,
            alerts: alert,
            alertsUntil: until,
            content: Content(phase: content.phase, courierName: content.courierName),
            attributes: CardAttributes(order),
            orderRevision: order.revision,
            asOf: asOf ?? now,
            dueAt: due,
            staleAfter: policy.fallbackExpiration,
            expiresAfter: policy.fallbackExpiration,
            dismissAfter: nil,
            reason: isUrgent ? .cardOutOfReach : .cardSilent,
            settings: devices[device]?.settings ?? DeviceSettings()
        )
        let decision = Decision(
            device: device,
            incarnation: Fallback.incarnation,
            kind: .alert,
            reason: next.reason,
            tokenKind: .device,
            priority: next.priority,
            alerts: alert,
            digest: next.content.digest,
            heldUntil: due > now ? due : nil
        )
        return (decision, fallback.intention.map { $0.heldBack(for: next) } ?? next)
    }

    private func stay(_ device: DeviceID, _ reason: Reason) -> (decision: Decision, intention: Intention?) {
        (Decision(device: device, incarnation: Fallback.incarnation, kind: .nothing, reason: reason), nil)
    }

    private func obstacle(
        to alert: Alerts,
        _ fallback: Fallback,
        _ device: DeviceID,
        now: Instant,
        _ policy: Policy
    ) -> Reason? {
        if !policy.fallbackAlert { return .fallbackOff }
        let cards = activities.filter { $0.device == device }
        if cards.contains(where: \.isUnwanted) { return .dismissed }
        if !fallback.told.isDisjoint(with: alert) || !fallback.givenUp.isDisjoint(with: alert) { return .alertGiven }
        if cards.contains(where: { $0.shown?.phase == order.phase }) { return .cardShowsIt }
        guard let known = devices[device] else { return .noDevice }
        if !known.hasDeviceToken { return .noDeviceToken }
        if !known.settings.notificationsAllowed { return .notificationsOff }
        // A courier of whom nobody knows whether he still waits is not called for.
        let content = content(at: now, policy: policy)
        return content.isStale || content.attemptFailed ? .alertOutdated : nil
    }

    /// No card on the phone can be told anything, so there is nothing to wait for.
    private func isOutOfReach(_ device: DeviceID) -> Bool {
        let cards = activities.filter { $0.device == device && $0.isOnPhone }
        return !cards.isEmpty && cards.allSatisfy(\.isOutOfReach)
    }

    // MARK: - Answers

    mutating func answered(_ push: PushAccepted) { fallbacks[push.device]?.accepted(push) }

    mutating func unanswered(_ push: PushLost) { fallbacks[push.device]?.lost(push) }

    /// A dead token is that of the device alone; until its stream says which it has now there is none.
    mutating func refusedAlert(_ push: PushRefused, now: Instant, into outcome: inout Outcome) {
        fallbacks[push.device]?.refused(push, now: now)
        guard push.remedy == .forgetToken else { return }
        devices[push.device]?.hasDeviceToken = false
        if !push.neverLeft { outcome.relays.append(.toDevice(push.device, .deviceTokenDied(since: push.deadSince))) }
    }
}

extension Fallback {
    /// The earliest of what was said before and now, but not before a repeat may leave.
    fileprivate func dueAt(_ alert: Alerts, isUrgent: Bool, now: Instant, _ policy: Policy) -> Instant {
        var due = isUrgent ? now : now + policy.fallbackWait
        if let intention, intention.alerts == alert, let before = intention.dueAt { due = min(due, before) }
        guard let failedAt else { return due }
        return max(due, failedAt + policy.retryDelay(attempt: attempts))
    }
}

extension Activity {
    /// The person took it away, or it went in a way that counts as much (engine rules, section 4).
    fileprivate var isUnwanted: Bool {
        switch state {
        case .dismissed, .ended(.unknown), .ended(.optOut): true
        case .none, .starting, .maybeStarted, .live, .liveOnChannel, .localOnly, .ending, .unreachable, .ended: false
        }
    }

    /// Something may be on the phone, and nothing can be said to it.
    fileprivate var isOutOfReach: Bool {
        switch state {
        case .maybeStarted, .unreachable: !listens
        case .starting, .ending: tokenIsLate && !hasToken
        case .none, .live, .liveOnChannel, .localOnly, .dismissed, .ended: false
        }
    }
}

extension Intention {
    /// This, where `next` would say the same: an answer on its way still settles it, and its slot stays as it is but for the
    /// moment at which it leaves.
    fileprivate func heldBack(for next: Intention) -> Intention {
        guard
            alerts == next.alerts, content == next.content, attributes == next.attributes, settings == next.settings
        else { return next }
        var same = self
        same.dueAt = next.dueAt
        same.reason = next.reason
        same.alertsUntil = next.alertsUntil
        return same
    }
}
