extension DeviceStream {
    /// Folds one fact; answers with what other streams must be told.
    package mutating func handle(
        _ fact: DeviceStreamFact,
        version: Int,
        now: Instant,
        policy: Policy
    ) -> [Relay] {
        self.version = version
        let tokens = (start: liveToken, device: liveDeviceToken)
        let relays = evolve(fact, now: now, policy: policy)
        return relays + tokenMessages(since: tokens.start) + deviceTokenMessages(since: tokens.device)
    }

    private mutating func evolve(_ fact: DeviceStreamFact, now: Instant, policy: Policy) -> [Relay] {
        switch fact {
        case .registered(let registration): register(registration)
        case .loggedOut(let sequence): logOut(sequence)
        case .running(let cards, let sequence): listRunning(cards, sequence)
        case .message(let message): receive(message, now: now, policy: policy)
        case .other: []
        }
    }

    private mutating func accepts(_ sequence: Int64?) -> Bool {
        guard let sequence else { return true }
        guard sequence > self.sequence else { return false }
        self.sequence = sequence
        return true
    }

    // MARK: - The device about itself

    private mutating func register(_ registration: DeviceRegistration) -> [Relay] {
        guard accepts(registration.sequence) else { return [] }
        let before = snapshot
        merge(registration)
        guard customer != nil else { return [] }
        let keepsTokens = registration.startToken == .unchanged && registration.deviceToken == .unchanged
        if let before, before == snapshot, keepsTokens { return [] }
        generation += 1
        guard let after = snapshot else { return [] }
        return tell(after, insteadOf: before) + tellWaiting()
    }

    private func tell(_ after: DeviceSnapshot, insteadOf before: DeviceSnapshot?) -> [Relay] {
        guard let before else { return [.toCustomer(after.customer, .deviceJoined(after))] }
        guard before.customer != after.customer else { return [.toCustomer(after.customer, .deviceChanged(after))] }
        return [.toCustomer(before.customer, .deviceLeft(id)), .toCustomer(after.customer, .deviceJoined(after))]
    }

    private mutating func merge(_ registration: DeviceRegistration) {
        customer = registration.customer ?? customer
        settings.environment = registration.environment ?? settings.environment
        settings.attributesType = registration.attributesType ?? settings.attributesType
        settings.locale = registration.locale ?? settings.locale
        settings.timeZone = registration.timeZone ?? settings.timeZone
        settings.osVersion = registration.osVersion ?? settings.osVersion
        settings.appBuild = registration.appBuild ?? settings.appBuild
        settings.activitiesEnabled = registration.activitiesEnabled ?? settings.activitiesEnabled
        settings.frequentPushes = registration.frequentPushes ?? settings.frequentPushes
        settings.notificationsAllowed = registration.notificationsAllowed ?? settings.notificationsAllowed
        mergeDeviceToken(registration)
        switch registration.startToken {
        case .unchanged:
            break
        case .erased:
            eraseStartToken()
        case .replaced:
            hasStartToken = true
            startTokenAt = registration.observedAt
            startToken = registration.tokenID.map { HeldToken(id: $0, claim: version) }
            successor = nil
        }
    }

    private mutating func eraseStartToken() {
        hasStartToken = false
        startTokenAt = nil
        startToken = nil
    }

    private mutating func logOut(_ sequence: Int64?) -> [Relay] {
        guard accepts(sequence), let customer else { return [] }
        self.customer = nil
        eraseStartToken()
        eraseDeviceToken()
        // Places are given back by the orders, as their cards end.
        return [.toCustomer(customer, .deviceLeft(id))]
    }

    /// The running list concerns every order with a place here and every order it names.
    private mutating func listRunning(_ cards: [OrderID: [ListedCard]], _ sequence: Int64?) -> [Relay] {
        guard accepts(sequence) else { return [] }
        unanswered = 0
        let orders = Set(cards.keys).union(places.map(\.order))
        return orders.sorted { $0.value.precedesByBytes($1.value) }
            .map { .toOrder($0, .cardsListed(id, cards: cards[$0] ?? [])) }
    }

    // MARK: - Starts and places

    private mutating func receive(_ message: Relay.DeviceMessage, now: Instant, policy: Policy) -> [Relay] {
        switch message {
        case .startRequested(let order, let incarnation):
            return request(Place(order: order, incarnation: incarnation), now: now, policy: policy)
        case .startAnswered(let order, let incarnation, let result, let deadSince):
            return answered(Place(order: order, incarnation: incarnation), result, deadSince: deadSince, now: now)
        case .cardLive(let order, let incarnation):
            unanswered = 0
            take(Place(order: order, incarnation: incarnation))
            return []
        case .cardEnded(let order, let incarnation):
            let relays = free(Place(order: order, incarnation: incarnation))
            guard !places.isEmpty else { return relays }
            return relays + [.toOrder(order, .farewellAtRisk(id, incarnation: incarnation))]
        case .tokenLost(let token, let claim, let successor):
            return lose(token, claim: claim, to: successor)
        case .ledgerMoved(let ledger):
            return inherit(ledger)
        case .deviceTokenDied(let since):
            return deviceTokenDied(since: since, now: now)
        }
    }

    private mutating func request(_ place: Place, now: Instant, policy: Policy) -> [Relay] {
        ledger.removeAll { $0 <= now - .seconds(3600) }
        if places.contains(place) { return [grant(place, from: nil)] }
        guard customer != nil, hasStartToken, settings.activitiesEnabled, places.count < policy.maxActivities else {
            if !waiting.contains(place) { waiting.append(place) }
            return [refuse(place, until: nil)]
        }
        if let until = budgetFreeAt(now: now, policy: policy) { return [refuse(place, until: until)] }
        let earliest = lastStartAt.map { $0 + policy.spacing } ?? now
        let from = max(now, earliest)
        ledger.append(from)
        lastStartAt = from
        take(place)
        return [grant(place, from: from > now ? from : nil)]
    }

    /// When the start budget has room again; nil: it has room now (rule 11).
    private func budgetFreeAt(now: Instant, policy: Policy) -> Instant? {
        let recent = ledger.filter { $0 > now - .seconds(600) }
        let tenMinutes = recent.count >= policy.startsPerTenMinutes ? recent.first.map { $0 + .seconds(600) } : nil
        let hour = ledger.count >= policy.startsPerHour ? ledger.first.map { $0 + .seconds(3600) } : nil
        let pause = unanswered >= policy.unansweredStarts ? lastStartAt.map { $0 + policy.unansweredPause } : nil
        return [tenMinutes, hour, pause.flatMap { $0 > now ? $0 : nil }].compactMap(\.self).max()
    }

    private mutating func answered(
        _ place: Place,
        _ result: StartResult,
        deadSince: Instant?,
        now: Instant
    ) -> [Relay] {
        switch result {
        case .accepted, .lost:
            unanswered += 1
            return []
        case .refused:
            return []
        case .tokenDead:
            let relays = free(place)
            if let startTokenAt, let deadSince, startTokenAt > deadSince {
                // A newer token is here; the order that met the old one's death is told all the same.
            } else {
                hasStartToken = false
                startTokenAt = nil
                startToken?.deadSince = deadSince ?? now
            }
            return relays + tellOfTokens()
        }
    }

    private mutating func take(_ place: Place) {
        if !places.contains(place) { places.append(place) }
    }

    private mutating func free(_ place: Place) -> [Relay] {
        waiting.removeAll { $0 == place }
        guard let index = places.firstIndex(of: place) else { return [] }
        places.remove(at: index)
        return tellWaiting()
    }

    /// All that wait are told: one of them may have lost interest, and the first to ask gets the place.
    private mutating func tellWaiting() -> [Relay] {
        defer { waiting.removeAll() }
        return waiting.map { .toOrder($0.order, .startFree(id)) }
    }

    private func grant(_ place: Place, from: Instant?) -> Relay {
        .toOrder(place.order, .startGranted(id, incarnation: place.incarnation, from: from))
    }

    private func refuse(_ place: Place, until: Instant?) -> Relay {
        .toOrder(place.order, .startRefused(id, incarnation: place.incarnation, until: until))
    }
}
