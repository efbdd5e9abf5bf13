import Tracking

/// What happens in a random history: a list of seeds, one per step, so that any step can be left out.
extension World {
    static let owners = [CustomerID("ana"), CustomerID("bo")]
    static let phoneIDs = [DeviceID("phone"), DeviceID("tablet"), DeviceID("third")]
    static let orderIDs = ["1", "2", "3", "4"].map { OrderID($0) }

    /// Two people, three phones, four orders whose events arrive in any order.
    mutating func people() {
        for id in Self.orderIDs {
            let owner = numbers.one(of: Self.owners)
            coming[id] = Self.story(&numbers, owner).shuffled(using: &numbers)
        }
        policy.rollover = numbers.chance(20)
        policy.restartAfter410 = numbers.chance(20)
        policy.contract.showsMinutes = numbers.chance(20)
        policy.contract.holdsUntilETA = numbers.chance(10)
        if numbers.chance(30) { policy.startAt = .accepted }
        if numbers.chance(10) { policy.startsPerTenMinutes = 2 }
        if numbers.chance(10) { policy.unansweredStarts = 2 }
        policy.fallbackAlert = numbers.chance(40)
        policy.broadcast = numbers.chance(40)
        for id in Self.phoneIDs { systems[id] = numbers.chance(70) ? "18.2" : "17.5" }
        for id in Self.phoneIDs where numbers.chance(15) { withoutDeviceToken.insert(id) }
        // Longer than a card may live.
        if numbers.chance(10) { policy.deadlineAfter = .seconds(10 * 3600) }
    }

    private static func story(_ numbers: inout SeededNumbers, _ owner: CustomerID?) -> [PartnerFact] {
        var words = ["order.placed", "order.accepted", "courier.assigned", "order.picked_up", "courier.waiting"]
        if numbers.chance(20) { words.append("delivery.attempt_failed") }
        if numbers.chance(15) { words.append("courier.unassigned") }
        for _ in 0..<Int.random(in: 0...3, using: &numbers) { words.append("eta.changed") }
        let finals = ["order.delivered", "order.delivered", "order.cancelled", "order.returning", "eta.changed"]
        if let final = numbers.one(of: finals) { words.append(final) }
        if numbers.chance(15) { words += ["order.reopened", "order.on_the_way"] }
        let isScheduled = numbers.chance(10)
        return words.enumerated().map { index, word in
            event(word, at: Double(index), id: "\(index)") { data in
                data.customer = numbers.chance(60) ? owner : nil
                if numbers.chance(40) || word == "eta.changed" {
                    data.eta = .known(minute(Double(Int.random(in: 20..<90, using: &numbers))))
                }
                if word == "courier.assigned" { data.courier = .init(id: "1", name: "Ana") }
                if isScheduled { data.scheduledFor = minute(120) }
                if numbers.chance(10) { data.answers = "wish" }
            }
        }
    }

    mutating func step(_ seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
        let pause = pause()
        // No push is under way for minutes: it has an answer by then, or counts as lost.
        if pause > .seconds(60) { while answer(Fate.allCases) {} }
        pass(to: now + pause)
        guard let phone = numbers.one(of: Self.phoneIDs), let order = numbers.one(of: Self.orderIDs) else { return }
        switch Int.random(in: 0..<100, using: &numbers) {
        case ..<12: happens(order)
        case ..<46: _ = deliver(duplicates: 10)
        case ..<52: _ = ring()
        case ..<64: _ = claim()
        case ..<77: _ = answer(Fate.allCases + [.accepted, .accepted, .accepted])
        case ..<85: _ = registerCard(phone)
        case ..<89:
            if let owner = numbers.one(of: Self.owners) { logIn(phone, owner) }
        case ..<98: act(phone, order)
        default: listRunning(phone)
        }
    }

    private mutating func happens(_ order: OrderID) {
        guard orders[order]?.isParked != true else { return tell(order, .unparked) }
        if let fact = coming[order]?.popLast() { tell(order, .partner(fact)) }
    }

    /// What happens now and then.
    private mutating func act(_ phone: DeviceID, _ order: OrderID) {
        switch Int.random(in: 0..<12, using: &numbers) {
        case 0: logOut(phone)
        case 1:
            rotateStartToken(phone)
            rotateDeviceToken(phone)
        case 2, 3: rotateCard(phone)
        case 4: startInApp(phone, order)
        case 5: swipeAway(phone)
        case 6: turnSwitch(phone, on: numbers.chance(50))
        case 7: turnFrequent(phone)
        case 8: tell(order, .courierSeen(courier: numbers.one(of: ["1", "2"])))
        case 9: tell(order, .commandRequested(PendingCommand(id: "wish", command: "leave_at_door")))
        case 10: if numbers.chance(30) { tell(order, .parked) } else { turnNotifications(phone) }
        default: tell(order, .asked(phone))
        }
    }

    /// Mostly seconds, now and then minutes, rarely hours.
    private mutating func pause() -> Duration {
        switch Int.random(in: 0..<200, using: &numbers) {
        case ..<180: .seconds(Int.random(in: 0...8, using: &numbers))
        case ..<195: .seconds(Int.random(in: 10...600, using: &numbers))
        case ..<199: .seconds(Int.random(in: 600...5400, using: &numbers))
        default: .seconds(Int.random(in: 3600...30_000, using: &numbers))
        }
    }
}
