import Testing
import Tracking

/// Events that come late, twice, shuffled or against each other, as senders were reported to send them.
@Suite struct EventOrderCases {
    // D01
    @Test func `an event that is older than the delivery changes neither order nor card`() {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 10)
        order.send()
        order.happens("courier.waiting", at: 8)
        order.happens("order.accepted", at: 12)
        order.send()
        let stream = order.world.orders[OneOrder.id]
        #expect(stream?.order.phase == .delivered)
        #expect(stream?.order.since == minute(10))
        #expect(order.sent == ["start on_the_way", "end delivered"])
        #expect(order.world.phones[OneOrder.phone]?.cards.first?.phase == .delivered)
    }

    // D01
    @Test func `each event stands at its own time, and one after the end is superseded`() {
        let folded = Order.fold([
            event("order.delivered", at: 10), event("order.on_the_way", at: 8), event("courier.waiting", at: 12),
        ])
        #expect(folded.facts.map(\.fact.key.time) == [minute(8), minute(10), minute(12)])
        #expect(folded.facts.map(\.effect) == [.changed, .changed, .superseded])
        #expect(folded.order.phase == .delivered)
    }

    private static let delivery: [(word: String, time: Double)] = [
        ("order.placed", 0), ("order.picked_up", 4), ("courier.waiting", 8), ("order.delivered", 9),
    ]

    // D02
    @Test(arguments: permutations(of: [0, 1, 2, 3]))
    func `four events in any order of arrival are one timeline and at most one card`(arrival: [Int]) {
        let facts = arrival.map { event(Self.delivery[$0].word, at: Self.delivery[$0].time) }
        let inOrder = Order.fold(Self.delivery.map { event($0.word, at: $0.time) })
        #expect(Order.fold(facts).order == inOrder.order)
        #expect(Order.fold(facts).facts == inOrder.facts)

        var order = OneOrder()
        for index in arrival {
            order.happens(Self.delivery[index].word, at: Self.delivery[index].time)
            order.send()
            order.registers()
        }
        order.passes(minutes: 1)
        order.send()
        let verbs = order.sent(to: OneOrder.phone)
        #expect(verbs.filter { $0 == .start }.count <= 1)
        #expect(verbs.isEmpty || verbs.last == .end)
        #expect(order.onScreen().allSatisfy { $0.hasEnded && $0.phase == .delivered })
    }

    // D03
    @Test func `a step stamped after the delivery is superseded, and the time between them negative`() throws {
        let (order, effects) = foldAsTheyArrive([
            event("order.delivered", at: 12), event("order.picked_up", at: 12 + 5.0 / 60),
        ])
        #expect(effects == [.changed, .superseded])
        #expect(order.phase == .delivered)
        #expect(order.since == minute(12))
        let facts = Order.fold([event("order.picked_up", at: 12 + 5.0 / 60), event("order.delivered", at: 12)]).facts
        let picked = try #require(facts.first { $0.fact.type == .known(.orderPickedUp) })
        let delivered = try #require(facts.first { $0.fact.type == .known(.orderDelivered) })
        #expect(delivered.fact.key.time - picked.fact.key.time == .seconds(-5))
    }

    // D05
    @Test func `one event under three ids is told once`() {
        var order = OneOrder.running()
        let before = order.world.orders[OneOrder.id]?.order.phase
        for id in ["1", "2", "3"] {
            order.world.now = minute(5)
            order.world.tell(
                OneOrder.id,
                .partner(event("courier.waiting", at: 5, id: id) { $0.customer = OneOrder.owner })
            )
            order.settleRelays()
            order.send()
            order.passes(minutes: 0.1)
        }
        #expect(before == .onTheWay)
        #expect(order.sent == ["start on_the_way", "update courier_waiting"])
        #expect(order.onScreen().first?.rings[Alerts.courierWaiting.rawValue] == 1)
        let effects = Order.fold(order.world.arrived[OneOrder.id] ?? []).facts.map(\.effect)
        #expect(effects == [.changed, .changed, .repeated, .repeated])
    }

    // D07
    @Test func `a sender that repeats the state with each breath causes one push`() {
        var order = OneOrder()
        for index in 0..<6 {
            order.happens("order.on_the_way", at: Double(index) * 2) { $0.eta = .known(minute(30)) }
            order.send()
            order.registers()
            order.send()
        }
        #expect(order.sent == ["start on_the_way"])
        #expect(order.card()?.reason == .nothingVisible)
        let effects = Order.fold(order.world.arrived[OneOrder.id] ?? []).facts.map(\.effect)
        #expect(effects == [.changed] + [FoldEffect](repeating: .none, count: 5))
    }

    // MARK: - Ends

    // D09
    @Test(arguments: [[0, 1], [1, 0]])
    func `cancelled and delivered are a contradiction for staff and one end for the phone`(arrival: [Int]) {
        let finals = [("order.cancelled", 20.0), ("order.delivered", 40.0)]
        var order = OneOrder.running()
        for index in arrival {
            order.happens(finals[index].0, at: finals[index].1)
            order.send()
        }
        order.passes(minutes: 5)
        order.send()
        let folded = order.world.orders[OneOrder.id]?.order
        #expect(folded?.phase == .cancelled)
        #expect(folded?.flags.contains(.contradiction) == true)
        let told = arrival[0] == 0 ? "end cancelled" : "end delivered"
        #expect(order.sent == ["start on_the_way", told])
    }

    // D10
    @Test func `a delivery that was tapped too early is undone, and all of it stays in the timeline`() {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 5)
        order.send()
        order.happens("event.voided", at: 5 + 10.0 / 60) {
            $0.voids = EventReference(source: "pos", id: "order.delivered@5.0")
        }
        order.send()
        order.registers()
        #expect(order.card()?.state == .live)
        order.happens("order.delivered", at: 9)
        order.send()
        #expect(order.sent == ["start on_the_way", "end delivered", "start on_the_way", "end delivered"])
        #expect(order.onScreen().map(\.isRunning) == [false, false])
        let facts = Order.fold(order.world.arrived[OneOrder.id] ?? []).facts
        #expect(facts.map(\.effect) == [.changed, .voided, .none, .changed])
    }

    // D10
    @Test func `a delivery undone before its end was sent leaves the card running`() {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 5)
        order.happens("event.voided", at: 5.1) { $0.voids = EventReference(source: "pos", id: "order.delivered@5.0") }
        order.send()
        #expect(order.sent == ["start on_the_way"])
        #expect(order.card()?.state == .live)
        #expect(order.card()?.incarnation == 1)
    }

    // D11
    @Test(arguments: ["order.accepted", "order.on_the_way", "courier.waiting", "order.preparing"])
    func `only a reopening reopens an order`(word: String) {
        let delivered = event("order.delivered", at: 10)
        let late = Order.fold([delivered, event(word, at: 11)])
        #expect(late.order.phase == .delivered)
        // Preparing has no phase of its own to supersede.
        #expect(late.facts.last?.effect == (word == "order.preparing" ? FoldEffect.none : .superseded))
        let reopened = fold(delivered, event("order.reopened", at: 11) { $0.phase = .placed }, event(word, at: 12))
        let phases: [String: Phase] = [
            "order.accepted": .accepted, "order.on_the_way": .onTheWay, "courier.waiting": .courierWaiting,
            "order.preparing": .placed,
        ]
        #expect(reopened.phase == phases[word])
        #expect(reopened.flags.contains(.reopened))
    }

    // MARK: - Several orders, early orders, slow clocks

    // D13
    @Test func `of three orders on one tour the delivered one alone ends`() {
        var order = OneOrder()
        order.world.policy.maxActivities = 3
        let tour = ["1001", "1002", "1003"].map { OrderID($0) }
        func tell(_ id: OrderID, _ word: String, at time: Double) {
            order.world.now = max(order.world.now, minute(time))
            order.world.tell(
                id,
                .partner(
                    event(word, at: time) {
                        $0.customer = OneOrder.owner
                        $0.batch = "tour 7"
                    }
                )
            )
            order.settleRelays()
        }
        for id in tour {
            tell(id, "order.batched", at: 0)
            tell(id, "order.on_the_way", at: 1)
        }
        order.passes(minutes: 1)
        order.send()
        order.registers()
        tell(tour[1], "order.delivered", at: 9)
        order.send()
        #expect(tour.map { order.world.orders[$0]?.order.phase } == [.onTheWay, .delivered, .onTheWay])
        #expect(tour.map { order.world.orders[$0]?.order.batch } == ["tour 7", "tour 7", "tour 7"])
        let ended = order.world.record.accepted.filter { $0.intention.verb == .end }.map(\.order)
        #expect(ended == [tour[1]])
    }

    // D17
    @Test func `an order whose first event is its delivery loses nothing`() {
        var order = OneOrder()
        order.happens("order.delivered", at: 30)
        order.send()
        order.passes(minutes: 60)
        order.happens("order.placed", at: 0) { $0.displayNumber = "42" }
        order.send()
        let folded = order.world.orders[OneOrder.id]?.order
        #expect(order.world.orders.count == 1)
        #expect(folded?.phase == .delivered)
        #expect(folded?.revision == 2)
        #expect(folded?.displayNumber == "42")
        #expect(order.sent.isEmpty)
        #expect(order.card()?.reason == .finishedBeforeStart)
    }

    // D18
    @Test func `a courier's phone that was offline for half an hour with a fast clock tells its story in order`() {
        var order = OneOrder()
        let ahead = 1.5
        order.world.now = minute(30)
        let queue: [(String, Double)] = [
            ("order.picked_up", 2), ("eta.changed", 10), ("courier.nearby", 28), ("courier.waiting", 30),
        ]
        for (word, time) in queue.reversed() {
            order.world.tell(
                OneOrder.id,
                .partner(
                    event(word, at: time + ahead) {
                        $0.customer = OneOrder.owner
                        if word == "eta.changed" { $0.eta = .known(minute(31)) }
                    }
                )
            )
            order.settleRelays()
        }
        order.send()
        let folded = order.world.orders[OneOrder.id]?.order
        #expect(folded?.phase == .courierWaiting)
        #expect(folded?.since == minute(30 + ahead))
        #expect(folded?.eta == minute(31))
        #expect(order.sent == ["start courier_waiting"])
    }
}
