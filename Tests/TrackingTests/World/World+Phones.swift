import Tracking

/// What people and apps do.
extension World {
    mutating func logIn(_ id: DeviceID, _ owner: CustomerID) {
        var phone = phones[id] ?? Phone(id: id, startTokenSince: now)
        phone.owner = owner
        var registration = DeviceRegistration(observedAt: phone.startTokenSince)
        registration.customer = owner
        registration.environment = .sandbox
        registration.osVersion = systems[id]
        registration.locale = "pl"
        registration.appBuild = builds[id]
        registration.startToken = .replaced
        registration.activitiesEnabled = phone.isEnabled
        registration.frequentPushes = phone.isFrequent
        registration.notificationsAllowed = phone.allowsNotifications
        if !withoutDeviceToken.contains(id) {
            registration.deviceToken = .replaced
            deviceTokens[id] = phone.deviceToken
        }
        registration.sequence = phone.nextSequence()
        startTokens[id] = phone.startToken
        phones[id] = phone
        tell(id, .registered(registration))
    }

    mutating func logOut(_ id: DeviceID) {
        guard var phone = phones[id], phone.owner != nil else { return }
        phone.owner = nil
        let sequence = phone.nextSequence()
        phones[id] = phone
        tell(id, .loggedOut(sequence: sequence))
    }

    /// Live Activities off: iOS ends all cards itself. The app tells when it is opened.
    mutating func turnSwitch(_ id: DeviceID, on: Bool) {
        guard var phone = phones[id], phone.isEnabled != on else { return }
        phone.isEnabled = on
        if !on { for index in phone.cards.indices { phone.cards[index].hasEnded = true } }
        phones[id] = phone
        guard let owner = phone.owner else { return }
        logIn(id, owner)
        // As above: a switch that was turned minutes ago would deny cards started since.
        deliverAll(from: "device \(id.value)")
        deliverAll(from: "customer \(owner.value)")
    }

    /// Leave for frequent updates given or taken: iOS ends all cards itself here as well.
    mutating func turnFrequent(_ id: DeviceID) {
        guard var phone = phones[id], let owner = phone.owner else { return }
        phone.isFrequent.toggle()
        for index in phone.cards.indices { phone.cards[index].hasEnded = true }
        phones[id] = phone
        logIn(id, owner)
        deliverAll(from: "device \(id.value)")
        deliverAll(from: "customer \(owner.value)")
    }

    /// Leave for notifications given or taken: cards stay as they are.
    mutating func turnNotifications(_ id: DeviceID) {
        guard let owner = phones[id]?.owner else { return }
        phones[id]?.allowsNotifications.toggle()
        logIn(id, owner)
    }

    /// iOS hands out another ordinary token, as after a restored backup.
    mutating func rotateDeviceToken(_ id: DeviceID) {
        let token = fresh()
        phones[id]?.deviceToken = token
        phones[id]?.deviceTokenSince = now
    }

    /// iOS hands out another start token; the app will tell sooner or later.
    mutating func rotateStartToken(_ id: DeviceID) {
        let token = fresh()
        phones[id]?.startToken = token
        phones[id]?.startTokenSince = now
    }

    /// The app hands over one card's token; false when all are known.
    mutating func registerCard(_ id: DeviceID) -> Bool {
        guard let index = phones[id]?.cards.firstIndex(where: { !$0.isRegistered && $0.isRunning }) else {
            return false
        }
        register(id, index)
        return true
    }

    private mutating func register(_ id: DeviceID, _ index: Int) {
        guard let sequence = phones[id]?.nextSequence() else { return }
        register(id, index, sequence: sequence)
    }

    private mutating func register(_ id: DeviceID, _ index: Int, sequence: Int64) {
        guard var phone = phones[id] else { return }
        phone.cards[index].isRegistered = true
        let card = phone.cards[index]
        phones[id] = phone
        tell(
            card.order,
            .registered(
                CardRegistration(
                    device: id,
                    activity: card.id,
                    hasToken: card.channel == nil,
                    origin: card.incarnation == nil ? .app : .server,
                    startedAt: card.startedAt,
                    observedAt: now,
                    incarnation: card.incarnation,
                    sequence: sequence
                )
            )
        )
        guard let known = orders[card.order]?.activities.first(where: { $0.activityID == card.id }) else { return }
        updateTokens[CardKey(order: card.order, device: id, incarnation: known.incarnation)] = card.token
    }

    mutating func rotateCard(_ id: DeviceID) {
        guard var phone = phones[id], let index = phone.cards.indices.randomElement(using: &numbers) else { return }
        guard phone.cards[index].channel == nil else { return }
        phone.replaced[phone.cards[index].token] = now
        phone.cards[index].token = fresh()
        phone.cards[index].isRegistered = false
        phones[id] = phone
    }

    mutating func startInApp(_ id: DeviceID, _ order: OrderID) {
        guard phones[id]?.isEnabled == true else { return }
        let card = Phone.Card(
            id: ActivityID("card\(fresh())"),
            order: order,
            incarnation: nil,
            token: fresh(),
            startedAt: now
        )
        phones[id]?.cards.append(card)
    }

    mutating func swipeAway(_ id: DeviceID) {
        guard let cards = phones[id]?.cards, let index = cards.indices.randomElement(using: &numbers) else { return }
        guard cards[index].isRunning else { return }
        // The registration may be overtaken by the report.
        let registration = cards[index].isRegistered ? nil : phones[id]?.nextSequence()
        defer { if let registration { register(id, index, sequence: registration) } }
        phones[id]?.cards[index].isDismissed = true
        let sequence = phones[id]?.nextSequence()
        tell(
            cards[index].order,
            .reported(CardReport(activity: cards[index].id, state: .dismissed, sequence: sequence))
        )
    }

    mutating func listRunning(_ id: DeviceID) {
        guard var phone = phones[id] else { return }
        var lists: [OrderID: [ListedCard]] = [:]
        for card in phone.cards where card.isRunning {
            lists[card.order, default: []].append(
                ListedCard(activity: card.id, incarnation: card.incarnation, state: .active)
            )
        }
        let sequence = phone.nextSequence()
        phones[id] = phone
        tell(id, .running(cards: lists, sequence: sequence))
        // A list that is under way for minutes would deny cards registered since.
        deliverAll(from: "device \(id.value)")
    }
}
