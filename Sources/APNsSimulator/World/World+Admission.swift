extension World {
    /// Method and path, the provider token, then the other rules.
    mutating func admit(_ visit: inout Visit) throws(Refusal) -> PushOrder {
        guard let rules = rules[visit.key.environment] else { throw Refusal(.internalServerError) }
        let token = try RequestRules.token(inPath: visit.request.path, method: visit.request.method)
        let recipient = tokens.recipient(of: token)
        visit.record.address(recipient)
        let key = try authenticate(&visit)
        let admission: RequestRules.Admission
        do {
            admission = try rules.check(
                visit.request,
                token: token,
                recipient: recipient,
                mayPush: { [auth = connections[visit.key]?.auth] in Self.mayPush($0, key, auth) },
                knobs.requests
            )
        } catch {
            throw forgotten(token, error)
        }
        visit.record.priority = UInt8(clamping: admission.order.priority)
        visit.record.expiration = admission.order.expiration
        note(admission.laxities, at: visit.now)
        return admission.order
    }

    /// Whether a key, on a connection with this past, is for a bundle id.
    static func mayPush(_ bundleID: String, _ key: ProviderKeyRegistration?, _ auth: ConnectionAuth?) -> Bool {
        (key?.bundleIDs?.contains(bundleID) ?? true) && (auth?.serves(bundleID) ?? true)
    }

    /// Notes what the request about to be logged does that Apple only advises against.
    mutating func note(_ laxities: [Laxity], at now: Moment) {
        for laxity in laxities { violate(laxity.rule, log.nextSequence, detail: "", at: now) }
    }

    /// Tokens of deleted phones are those of an app that was removed, not nonsense.
    private func forgotten(_ token: String, _ refusal: Refusal) -> Refusal {
        guard let deletedWall, refusal == Refusal(.badDeviceToken), token.hasPrefix(tokenMark) else { return refusal }
        return Refusal(.unregistered, timestampMilliseconds: (deletedWall + skew) / 1000)
    }

    /// Judges the provider token, by itself and for the connection; returns its key, nil for a certificate.
    mutating func authenticate(_ visit: inout Visit) throws(Refusal) -> ProviderKeyRegistration? {
        if connections[visit.key]?.hasCertificate == true {
            // The header is ignored where a certificate speaks (contract 1.2, 23).
            guard knobs.auth.takesCertificates || !visit.request.isAboutActivities else {
                throw Refusal(.badCertificate)
            }
            trust(&visit)
            return nil
        }
        let authorization = visit.request.first("authorization")
        let seconds = apnsTime(visit.now) / 1_000_000
        let token: ProviderToken
        do {
            token = try keys.verify(authorization, on: visit.key.environment, now: seconds, knobs.auth)
        } catch {
            if error == Refusal(.expiredProviderToken) {
                connections[visit.key]?.auth.expire(isFinal: knobs.auth.expiryIsFinal)
            }
            throw error
        }
        guard let key = keys.registration(token.keyID) else { throw Refusal(.invalidProviderToken) }
        try connections[visit.key]?.auth
            .present(
                authorization ?? "",
                of: key,
                bundleIDs: apps.map(\.bundleID),
                now: seconds,
                otherTeam: knobs.auth.otherTeam
            )
        trust(&visit)
        if token.isLax { violate(.laxProviderToken, log.nextSequence, detail: "key \(token.keyID)", at: visit.now) }
        return key
    }

    /// The first request that is believed opens the connection's streams.
    private mutating func trust(_ visit: inout Visit) {
        if let action = connections[visit.key]?.standing.authenticated() {
            visit.actions.append(ConnectionAction(action))
        }
    }

    /// The machine's clock as APNs has it, microseconds.
    func apnsTime(_ now: Moment) -> Int64 { now.wall + skew }

    /// Answers 410 for a dead token and 429 for one that is asked too often.
    mutating func refuseDeadOrHasty(_ order: PushOrder, at now: Moment) throws(Refusal) {
        if let death = death(of: order, at: now), now.phone >= death.answersUntil {
            throw Refusal(death.reason, timestampMilliseconds: (death.atWall + skew) / 1000)
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
            reason: knobs.lags.endedReason,
            atWall: now.wall - (now.phone - ending.at),
            answersUntil: ending.at.after(ending.cause == .swipe ? knobs.lags.dismissed : knobs.lags.ended)
        )
    }
}

extension PushRequest {
    /// Whether it concerns Live Activities: by topic, by type, or as everything about channels does.
    fileprivate var isAboutActivities: Bool {
        !path.hasPrefix("/3/") || first("apns-push-type") == PushType.liveactivity.rawValue
            || first("apns-topic")?.hasSuffix(RequestRules.suffix) == true
    }
}

extension Laxity {
    fileprivate var rule: Violation.Rule {
        switch self {
        case .missingPushType: .missingPushType
        case .missingPriority: .missingPriority
        case .missingExpiration: .missingExpiration
        case .priorityOne: .priorityOne
        case .upperCaseMessageID: .upperCaseMessageID
        case .topicOnBroadcast: .topicOnBroadcast
        }
    }
}
