import Testing
import Tracking

/// What holds whatever is late, lost, refused or told twice (engine rules, section 9).
@Suite struct WorldProperties {
    @Test(arguments: 0..<200)
    func `every phone shows the truth in the end, and nothing is told twice`(seed: UInt64) {
        var world = World(seed: seed)
        world.people()
        for _ in 0..<250 { world.step() }
        world.settle()
        world.expectTruth()
    }
}

extension World {
    private static let owners = [CustomerID("ana"), CustomerID("bo")]
    private static let phoneIDs = [DeviceID("phone"), DeviceID("tablet"), DeviceID("third")]
    private static let orderIDs = ["1", "2", "3", "4"].map { OrderID($0) }

    /// Two people, three phones, four orders whose events arrive in any order.
    fileprivate mutating func people() {
        for id in Self.orderIDs {
            let owner = numbers.one(of: Self.owners)
            coming[id] = Self.story(&numbers, owner).shuffled(using: &numbers)
        }
    }

    private static func story(_ numbers: inout SeededNumbers, _ owner: CustomerID?) -> [PartnerFact] {
        var words = ["order.placed", "order.accepted", "courier.assigned", "order.picked_up", "courier.waiting"]
        if numbers.chance(20) { words.append("delivery.attempt_failed") }
        if let final = numbers.one(of: ["order.delivered", "order.delivered", "order.cancelled", "eta.changed"]) {
            words.append(final)
        }
        if numbers.chance(15) { words += ["order.reopened", "order.on_the_way"] }
        return words.enumerated().map { index, word in
            event(word, at: Double(index), id: "\(index)") { data in
                data.customer = numbers.chance(60) ? owner : nil
                if numbers.chance(40) { data.eta = .known(minute(Double(Int.random(in: 20..<40, using: &numbers)))) }
                if word == "courier.assigned" { data.courier = .init(id: "1", name: "Ana") }
            }
        }
    }

    fileprivate mutating func step() {
        now = now + .seconds(Int.random(in: 0...8, using: &numbers))
        guard let phone = numbers.one(of: Self.phoneIDs), let order = numbers.one(of: Self.orderIDs) else { return }
        switch Int.random(in: 0..<100, using: &numbers) {
        case ..<12:
            if let fact = coming[order]?.popLast() { tell(order, .partner(fact)) }
        case ..<50: _ = deliver(duplicates: 10)
        case ..<64: _ = claim()
        case ..<78: _ = answer(Fate.allCases + [.accepted, .accepted, .accepted])
        case ..<86: _ = registerCard(phone)
        case ..<90:
            if let owner = numbers.one(of: Self.owners) { logIn(phone, owner) }
        case ..<91: logOut(phone)
        case ..<93: rotateStartToken(phone)
        case ..<95: rotateCard(phone)
        case ..<96: startInApp(phone, order)
        case ..<97: swipeAway(phone)
        case ..<98: turnSwitch(phone, on: numbers.chance(50))
        default: listRunning(phone)
        }
    }

    /// Everything still under way arrives, people open their apps, and time passes.
    fileprivate mutating func settle() {
        for id in Self.orderIDs {
            while let fact = coming[id]?.popLast() { tell(id, .partner(fact)) }
        }
        for _ in 0..<6 {
            quiet()
            for id in Self.phoneIDs {
                turnSwitch(id, on: true)
                if let owner = phones[id]?.owner { logIn(id, owner) }
                quiet()
                now = now + .seconds(61)
                if phones[id] != nil { listRunning(id) }
            }
        }
        quiet()
    }

    private mutating func quiet() {
        for _ in 0..<5_000 {
            if deliver() || answer([.accepted]) || claim() { continue }
            if Self.phoneIDs.contains(where: { registerCard($0) }) { continue }
            guard let due = nextDue else { return }
            now = max(now, due)
        }
        Issue.record("it never comes to rest")
    }

    private var nextDue: Instant? {
        orders.values.flatMap(\.activities).compactMap { $0.startInFlight ? nil : $0.intention?.dueAt }.min()
    }

    // MARK: - The truth

    fileprivate func expectTruth() {
        for (id, order) in orders {
            #expect(!order.hasPending(at: now, tokenWait: policy.tokenWait))
            #expect(order.settledVersion == order.version)
            #expect(order.order == Order.fold(arrived[id] ?? []).order)
            for card in order.activities { expectTruth(of: card, in: order) }
            expectCards(for: order)
        }
        for device in devices.values { expectNoLeak(device) }
        for phone in phones.values {
            for card in phone.cards { expectFewRings(card, on: phone) }
        }
    }

    private func expectTruth(of card: Activity, in stream: OrderStream) {
        let onPhone = phones[card.device]?.cards.first { $0.id == card.activityID }
        let comment = Comment("order \(stream.id.value) \(card.device.value) \(card.incarnation) \(card.state)")
        switch card.state {
        case .live:
            #expect(!stream.order.phase.isFinal, comment)
            #expect(card.intention == nil, comment)
            let content = Content(stream.order)
            var shown = content
            shown.eta = onPhone?.eta
            #expect(onPhone?.digest == shown.digest, comment)
            let moved = (onPhone?.eta?.seconds ?? 0) - (content.eta?.seconds ?? 0)
            #expect(abs(moved) < 60, comment)
            #expect(onPhone?.isRunning == true, comment)
        case .ended, .dismissed:
            #expect(onPhone?.isRunning != true, comment)
        case .none:
            let device = devices[card.device]
            let isFull = (device?.places.count ?? 0) >= policy.maxActivities
            #expect(card.reason != .refusedByDevice || isFull, comment)
            #expect(card.reason != .startRequested, comment)
            #expect(card.reason != .startInFlight, comment)
        case .starting, .ending:
            // It was started while the switch was off, and nobody is logged in to say so.
            let mayRun = phones[card.device]?.cards.contains { $0.order == stream.id && $0.isRunning } ?? false
            #expect(card.activityID == nil && !mayRun, comment)
        case .maybeStarted, .localOnly, .unreachable:
            Issue.record(comment)
        }
    }

    /// Who may see an order that is on its way has a card of it, or there is a reason that lies outside of us.
    private func expectCards(for stream: OrderStream) {
        guard !stream.order.phase.isFinal, [.onTheWay, .courierWaiting].contains(stream.order.phase) else { return }
        for phone in phones.values {
            guard let owner = phone.owner, stream.order.customers.contains(owner) else { continue }
            let newest = stream.activities.last { $0.device == phone.id }
            let comment = Comment("order \(stream.id.value) \(phone.id.value) \(String(describing: newest?.reason))")
            switch newest?.state {
            case nil: Issue.record(comment)
            case .some(.none):
                let reasons: [Reason] = [.startRefused, .refusedByDevice]
                #expect(newest.map { reasons.contains($0.reason) } == true, comment)
            case .ended(let why): #expect([.unknown, .unconfirmed, .duplicate].contains(why), comment)
            case .starting, .maybeStarted, .live, .localOnly, .ending, .unreachable, .dismissed: break
            }
        }
    }

    /// Every place belongs to a card that runs or may yet.
    private func expectNoLeak(_ device: DeviceStream) {
        for place in device.places {
            let card = orders[place.order]?.activities.first {
                $0.device == device.id && $0.incarnation == place.incarnation
            }
            #expect(card.map { !$0.state.isOver && ($0.state != .none || $0.grant == .granted) } == true)
        }
        #expect(Set(device.places).count == device.places.count)
    }

    private func expectFewRings(_ card: Phone.Card, on phone: Phone) {
        let incarnation = orders[card.order]?.activities.first { $0.activityID == card.id }?.incarnation ?? 0
        let key = CardKey(order: card.order, device: phone.id, incarnation: incarnation)
        for (kind, count) in card.rings {
            let mayRepeat = record.lostAlerts[key]?.contains(Alerts(rawValue: kind)) ?? false
            #expect(count <= (mayRepeat ? 2 : 1))
        }
    }
}
