import Testing
import Tracking

/// Refused, lost and dead (engine rules 2, 5, 10).
@Suite struct UnluckyPushTests {
    // P54
    @Test func `a refused start is repeated once`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.send(.refused)
        #expect(order.card()?.intention?.verb == .start)
        order.passes(minutes: 1)
        order.send()
        #expect(order.sent == ["start on_the_way"])
    }

    @Test func `a start refused twice gives its place back`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.send(.refused)
        order.passes(minutes: 1)
        order.send(.refused)
        order.passes(minutes: 30)
        order.send()
        #expect(order.sent.isEmpty)
        #expect(order.card()?.reason == .startRefused)
        #expect(order.world.devices[OneOrder.phone]?.places == [])
    }

    @Test(arguments: [World.Fate.lostOnTheWay, .lostOnTheWayBack])
    func `a start whose answer was lost is not repeated`(fate: World.Fate) {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.send(fate)
        #expect(order.card()?.state == .maybeStarted)
        order.happens("courier.waiting", at: 5)
        order.send()
        #expect(order.sent.isEmpty)
    }

    @Test func `the app's list says whether a lost start left a card`() {
        for fate in [World.Fate.lostOnTheWay, .lostOnTheWayBack] {
            var order = OneOrder()
            order.happens("order.on_the_way", at: 0)
            order.send(fate)
            order.world.listRunning(OneOrder.phone)
            order.send()
            order.registers()
            #expect(order.onScreen().count == 1)
            #expect(order.card()?.state == .live)
        }
    }

    @Test(arguments: [World.Fate.lostOnTheWay, .lostOnTheWayBack])
    func `after a lost update the newest state goes out, also where it went back`(fate: World.Fate) {
        var order = OneOrder.running()
        order.happens("courier.assigned", at: 5) { $0.courier = .init(id: "1", name: "Bo") }
        order.send(fate)
        order.happens("courier.reassigned", at: 6)
        order.passes(minutes: 1)
        order.send()
        #expect(order.onScreen().first?.digest == Content(phase: .onTheWay).digest)
        #expect(order.card()?.intention == nil)
    }

    @Test func `an alert whose answer was lost rings twice at most`() {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 5)
        for _ in 0..<4 {
            order.send(.lostOnTheWayBack)
            order.passes(minutes: 0.1)
        }
        order.passes(minutes: 1)
        order.send()
        #expect(order.onScreen().first?.rings[Alerts.courierWaiting.rawValue] == 2)
    }

    // P35
    @Test func `a dead start token is asked for again only when a new one is here`() {
        var order = OneOrder()
        order.world.now = minute(1)
        order.world.rotateStartToken(OneOrder.phone)
        order.happens("order.on_the_way", at: 2)
        order.send()
        #expect(order.card()?.reason == .noStartToken)
        #expect(order.world.devices[OneOrder.phone]?.hasStartToken == false)
        #expect(order.world.devices[OneOrder.phone]?.places == [])
        order.world.logIn(OneOrder.phone, OneOrder.owner)
        order.settleRelays()
        order.passes(minutes: 0.1)
        order.send()
        #expect(order.sent == ["start on_the_way"])
    }

    // P34 P35
    @Test func `the death of an old token leaves the new one alone`() {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 5)
        let push = order.claims()
        #expect(push?.generation == 1)
        order.world.rotateCard(OneOrder.phone)
        order.registers()
        while order.world.answer([.accepted]) {}
        #expect(order.card()?.state == .live)
        order.passes(minutes: 1)
        order.send()
        #expect(order.onScreen().first?.phase == .courierWaiting)
    }

    @Test func `a dead token without a successor makes the card unreachable, not new`() {
        var order = OneOrder.running()
        order.world.rotateCard(OneOrder.phone)
        order.happens("courier.waiting", at: 5)
        order.send()
        #expect(order.card()?.state == .unreachable)
        #expect(order.card()?.intention?.dueAt == nil)
        order.registers()
        order.send()
        #expect(order.onScreen().first?.phase == .courierWaiting)
        #expect(order.onScreen().count == 1)
    }

    @Test func `content that APNs refuses for good is not offered again`() throws {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 5)
        let push = order.claims()
        order.refusesForGood(try #require(push))
        #expect(order.card()?.reason == .refusedForGood)
        order.happens("order.delivered", at: 6)
        order.send()
        #expect(order.sent.last == "end delivered")
    }

    @Test func `an end that APNs refuses for good is let go`() throws {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 6)
        let push = order.claims()
        order.refusesForGood(try #require(push))
        #expect(order.card()?.state == .ended(.unconfirmed))
    }
}
