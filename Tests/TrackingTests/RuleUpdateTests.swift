import Testing
import Tracking

/// What is worth a push, and how loud it is (engine rules 4, 5 and 9).
@Suite struct RuleUpdateTests {
    @Test func `what is shown already is not pushed again`() {
        var order = OneOrder.running()
        order.happens("order.picked_up", at: 1)
        order.send()
        #expect(order.sent == ["start on_the_way"])
    }

    @Test func `updates for the arrival time are a minute apart`() {
        var order = OneOrder.running()
        order.happens("eta.changed", at: 2) { $0.eta = .known(minute(20)) }
        order.send()
        order.happens("eta.changed", at: 2.5) { $0.eta = .known(minute(30)) }
        #expect(order.intention?.dueAt == minute(3))
        #expect(order.intention?.priority == 5)
    }

    @Test func `an arrival time that crosses the line to late is pushed however little it moved`() {
        var order = OneOrder.running()
        for (time, eta) in [(1, 30.0), (3, 34.9)] {
            order.happens("eta.changed", at: Double(time)) { $0.eta = .known(minute(eta)) }
            order.send()
        }
        order.happens("eta.changed", at: 5) { $0.eta = .known(minute(35.2)) }
        #expect(order.card()?.reason == .etaMoved)
        #expect(order.intention?.content.isLate == true)
    }

    @Test func `a courier's name is a detail`() {
        var order = OneOrder.running()
        order.happens("courier.assigned", at: 1) { $0.courier = .init(id: "1", name: "Ana") }
        #expect(order.card()?.reason == .detailsChanged)
        #expect(order.intention?.priority == 5)
        #expect(order.intention?.alerts == [])
    }

    // D23
    @Test func `only partners and the order's own courier confirm it`() {
        var order = OneOrder.running()
        order.happens("courier.assigned", at: 1) { $0.courier = .init(id: "1") }
        order.passes(minutes: 5)
        order.hears(.other)
        order.world.listRunning(OneOrder.phone)
        order.world.rotateCard(OneOrder.phone)
        order.registers()
        order.send()
        order.hears(.courierSeen(courier: "2"))
        #expect(order.stream.asOf == minute(1))
        order.hears(.courierSeen(courier: "1"))
        #expect(order.stream.asOf == minute(6))
    }

    @Test func `a confirmed card is refreshed at three quarters of its stale window`() {
        var order = OneOrder.running()
        order.waits(minutes: 10)
        order.happens("order.picked_up", at: 10)
        #expect(order.card()?.reason == .refresh)
        #expect(order.intention?.dueAt == minute(60))
        #expect(order.intention?.priority == 5)
    }

    @Test func `a card that nobody confirmed is not refreshed`() {
        var order = OneOrder.running()
        order.passes(minutes: 10)
        order.hears(.other)
        #expect(order.card()?.reason == .nothingVisible)
        #expect(order.intention == nil)
    }

    @Test(arguments: [(20.0, 5.0, 600), (10, 2, 240), (4, 1, 120)])
    func `a card that shows minutes counts them down in steps`(eta: Double, next: Double, stale: Int) {
        var order = OneOrder { $0.contract.showsMinutes = true }
        order.happens("order.on_the_way", at: 0) { $0.eta = .known(minute(eta)) }
        order.send()
        #expect(order.lastSent?.staleAfter == .seconds(stale))
        order.registers()
        #expect(order.card()?.reason == .minutesPassed)
        #expect(order.intention?.dueAt == minute(next))
        #expect(order.intention?.priority == 5)
    }

    @Test func `a token takes one push a second, an end at any time`() {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 1)
        order.send()
        order.happens("courier.assigned", at: 1) { $0.courier = .init(id: "1", name: "Ana") }
        #expect(order.intention?.dueAt == minute(1) + .seconds(1))
        order.happens("order.delivered", at: 1)
        #expect(order.intention?.verb == .end)
        #expect(order.intention?.dueAt == minute(1))
    }

    // MARK: - Timestamps

    @Test func `timestamps increase within a second, whatever became of the pushes`() throws {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 1)
        let first = try order.claimed()
        order.refuses(first, neverLeft: true)
        #expect(order.card()?.lastStamp == first.stamp)
        order.passes(minutes: 0.1)
        let second = try order.claimed()
        order.loses(second)
        #expect(order.card()?.lastStamp == second.stamp)
        order.happens("order.delivered", at: 1)
        order.passes(minutes: 1)
        order.send()
        #expect(try #require(order.card()?.shown?.stamp) > second.stamp)
    }

    @Test func `an end in the second of an update has a later timestamp`() {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 1)
        order.send()
        let update = order.card()?.shown?.stamp ?? 0
        order.happens("order.delivered", at: 1)
        order.send()
        #expect(order.card()?.shown?.stamp == update + 1)
        #expect(order.world.violations == [])
    }

    // MARK: - Priority and alerts

    @Test func `the start and the courier at the door ring, no phase between does`() {
        var order = OneOrder { $0.startAt = .accepted }
        order.happens("order.accepted", at: 0)
        order.send()
        order.registers()
        order.happens("order.on_the_way", at: 1)
        order.send()
        order.happens("courier.waiting", at: 2)
        order.send()
        #expect(order.world.record.accepted.map(\.intention.alerts) == [.start, [], .courierWaiting])
        #expect(order.world.record.accepted.map(\.intention.priority) == [10, 10, 10])
    }

    @Test(arguments: [
        ("order.cancelled", Alerts.cancelled), ("order.delivered", Alerts()), ("order.returning", Alerts()),
    ])
    func `of the ends a cancellation rings`(word: String, alerts: Alerts) {
        var order = OneOrder.running()
        order.happens(word, at: 1)
        #expect(order.intention?.verb == .end)
        #expect(order.intention?.alerts == alerts)
        #expect(order.intention?.priority == 10)
    }

    @Test func `an alert sounds once`() {
        var order = OneOrder.running()
        order.happens("delivery.attempt_failed", at: 1)
        order.send()
        #expect(order.lastSent?.alerts == .attemptFailed)
        order.happens("courier.assigned", at: 2) { $0.courier = .init(id: "1", name: "Ana") }
        #expect(order.intention?.alerts == [])
        #expect(order.intention?.priority == 5)
    }

    @Test func `an alert that has not left yet is owed by what replaces it`() {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 1)
        order.happens("courier.assigned", at: 2) { $0.courier = .init(id: "1", name: "Ana") }
        #expect(order.intention?.alerts == .courierWaiting)
    }

    @Test func `an answer settles only what it carried`() {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 1)
        _ = order.claims()
        order.happens("courier.assigned", at: 1) { $0.courier = .init(id: "1", name: "Ana") }
        let revision = order.intention?.revision
        while order.world.answer([.accepted]) {}
        #expect(order.intention?.content.courierName == "Ana")
        #expect(order.intention?.alerts == [])
        #expect(order.intention?.revision == revision)
    }

    @Test func `an urgent push that arrived leaves no haste for a detail that waited beside it`() {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 1)
        _ = order.claims()
        order.happens("courier.assigned", at: 1) { $0.courier = .init(id: "1", name: "Ana") }
        #expect(order.intention?.priority == 10)
        while order.world.answer([.accepted]) {}
        #expect(order.intention?.content.courierName == "Ana")
        #expect(order.intention?.priority == 5)
    }

    @Test func `of the alerts whose answers were lost two kinds may repeat`() throws {
        for (word, repeats) in [("delivery.attempt_failed", false), ("courier.waiting", true)] {
            var order = OneOrder.running()
            order.happens(word, at: 1)
            order.loses(try order.claimed())
            #expect(order.intention?.alerts.isEmpty == !repeats)
        }
    }

    @Test(arguments: [(8.0, Alerts.courierWaiting), (6.0, Alerts())])
    func `an alert of an update is at most three minutes old`(happened: Double, alerts: Alerts) {
        var order = OneOrder.running()
        order.world.now = minute(10)
        order.happens("courier.waiting", at: happened)
        #expect(order.intention?.alerts == alerts)
        #expect(order.intention?.priority == 10)
    }

    @Test func `an alert that waited too long in the slot stays away, a start's never`() {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 1)
        #expect(order.intention?.alertsUntil == minute(4))
        #expect(order.intention?.leaving(at: minute(4)).alerts == .courierWaiting)
        #expect(order.intention?.leaving(at: minute(4.1)).alerts == [])
        var other = OneOrder()
        other.happens("order.on_the_way", at: 0)
        #expect(other.intention?.leaving(at: minute(60)).alerts == .start)
    }

    /// Seven updates that are urgent and nothing more: back and forth between two phases.
    private static func busy(_ change: (inout OneOrder) -> Void = { _ in }) -> OneOrder {
        var order = OneOrder { $0.startAt = .accepted }
        change(&order)
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.registers()
        for time in 1...7 {
            let isBack = time % 2 == 1
            order.happens(isBack ? "order.reopened" : "order.on_the_way", at: Double(time)) {
                if isBack { $0.phase = .accepted }
            }
            order.send()
        }
        return order
    }

    @Test func `seven urgent pushes an hour, and three for what must not wait`() {
        var order = Self.busy()
        #expect(order.world.record.accepted.map(\.intention.priority) == Array(repeating: 10, count: 8))
        order.happens("order.on_the_way", at: 8)
        #expect(order.intention?.verb == .update)
        #expect(order.intention?.priority == 5)
        order.happens("courier.waiting", at: 9)
        #expect(order.intention?.priority == 10)
        order.send()
        order.happens("order.reopened", at: 62) { $0.phase = .onTheWay }
        #expect(order.intention?.priority == 10)
    }

    @Test func `with leave for frequent updates the budget is larger`() {
        var order = Self.busy {
            $0.world.turnFrequent(OneOrder.phone)
            $0.settleRelays()
        }
        order.happens("order.on_the_way", at: 8)
        #expect(order.intention?.priority == 10)
    }
}
