extension World {
    /// The rules, the provider token and the connection's standing, in this order.
    mutating func admit(
        _ request: PushRequest,
        on key: ConnectionKey,
        at now: Moment,
        _ record: inout RequestRecord,
        _ actions: inout [PushReply.ConnectionAction]
    ) throws(Refusal) -> PushOrder {
        guard let rules = rules[key.environment] else { throw Refusal(.internalServerError) }
        var recipient: Recipient?
        let admission: RequestRules.Admission
        do {
            admission = try rules.check(request) { token in
                recipient = tokens.recipient(of: token)
                return recipient
            }
            record.address(recipient)
        } catch {
            record.address(recipient)
            throw forgotten(request, error)
        }
        record.priority = UInt8(clamping: admission.order.priority)
        record.expiration = admission.order.expiration
        let token = try authenticate(request, admission.order, on: key, at: now, &actions)
        for laxity in admission.laxities { violate(laxity.rule, log.nextSequence, detail: "", at: now) }
        if token.isLax { violate(.laxProviderToken, log.nextSequence, detail: "key \(token.keyID)", at: now) }
        return admission.order
    }

    /// Tokens of deleted phones are those of an app that was removed, not nonsense.
    private func forgotten(_ request: PushRequest, _ refusal: Refusal) -> Refusal {
        guard let deletedWall, refusal == Refusal(.badDeviceToken),
            request.path.hasPrefix("/3/device/\(tokenMark)")
        else { return refusal }
        return Refusal(.unregistered, timestampMilliseconds: deletedWall / 1000)
    }

    private mutating func authenticate(
        _ request: PushRequest,
        _ order: PushOrder,
        on key: ConnectionKey,
        at now: Moment,
        _ actions: inout [PushReply.ConnectionAction]
    ) throws(Refusal) -> ProviderToken {
        let authorization = request.first("authorization")
        let token = try keys.verify(authorization, on: key.environment, now: now.wall / 1_000_000)
        let registration = keys.registration(token.keyID)
        try connections[key]?.auth.present(
            token,
            authorization ?? "",
            key: registration,
            now: now.wall / 1_000_000
        )
        if let bundleIDs = registration?.bundleIDs, !bundleIDs.contains(apps[order.recipient.app].bundleID) {
            throw Refusal(.topicDisallowed)
        }
        if let action = connections[key]?.standing.authenticated() { actions.append(.init(action)) }
        return token
    }

    /// Answers 410 for a dead token and 429 for one that is asked too often.
    mutating func refuseDeadOrHasty(_ order: PushOrder, at now: Moment) throws(Refusal) {
        if let death = death(of: order, at: now), now.phone >= death.answersUntil {
            throw Refusal(death.reason, timestampMilliseconds: death.atWall / 1000)
        }
        guard tokens.admit(order.token, at: now.wall, knobs.rate) else { throw Refusal(.tooManyRequests) }
    }

    /// A token dies by itself (rotated, uninstalled) or with its card.
    private func death(of order: PushOrder, at now: Moment) -> TokenStore.Death? {
        if let death = tokens.death(of: order.token) { return death }
        guard let card = order.recipient.card,
            let ending = phones[order.recipient.phone].cards[card].ending(at: now.phone)
        else { return nil }
        return TokenStore.Death(
            reason: .unregistered,
            atWall: now.wall - (now.phone - ending.at),
            answersUntil: ending.at.after(ending.cause == .swipe ? knobs.lags.dismissed : knobs.lags.ended)
        )
    }
}

extension RequestRules.Laxity {
    fileprivate var rule: Violation.Rule {
        switch self {
        case .missingPushType: .missingPushType
        case .missingPriority: .missingPriority
        case .missingExpiration: .missingExpiration
        case .priorityOne: .priorityOne
        case .upperCaseMessageID: .upperCaseMessageID
        }
    }
}
