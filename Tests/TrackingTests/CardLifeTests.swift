import Testing
import Tracking

/// A card from its start to its end (engine rules, sections 4 and 5).
@Suite struct CardLifeTests {
    @Test func `a delivery is one start, one update and one end`() {
        var order = OneOrder()
        order.happens("order.accepted", at: 0)
        #expect(order.card() == nil)
        order.happens("order.on_the_way", at: 1)
        order.send()
        #expect(order.card()?.state == .starting)
        order.registers()
        #expect(order.card()?.state == .live)
        order.passes(minutes: 1)
        order.happens("courier.waiting", at: 5)
        order.send()
        order.happens("order.delivered", at: 7)
        order.send()
        #expect(order.sent == ["start on_the_way", "update courier_waiting", "end delivered"])
        #expect(order.card()?.state == .ended(.delivered))
        #expect(order.onScreen().first?.hasEnded == true)
        #expect(order.world.devices[OneOrder.phone]?.places == [])
    }

    @Test func `a card keeps the app build that started it, the next has the newest`() {
        var order = OneOrder()
        order.happens("order.accepted", at: 0)
        order.updatesApp(to: "1")
        order.happens("order.on_the_way", at: 1)
        order.send()
        order.registers()
        order.updatesApp(to: "2")
        order.happens("courier.waiting", at: 2)
        #expect(order.intention?.settings.appBuild == "1")
        order.happens("order.delivered", at: 3)
        order.send()
        #expect(order.lastSent?.settings.appBuild == "1")
        order.happens("order.reopened", at: 4) { $0.phase = .onTheWay }
        #expect(order.intention?.verb == .start)
        #expect(order.intention?.settings.appBuild == "2")
    }

    @Test func `a start that has not left is made for the newest app build`() {
        var order = OneOrder()
        order.happens("order.accepted", at: 0)
        order.updatesApp(to: "1")
        order.happens("order.on_the_way", at: 1)
        order.updatesApp(to: "2")
        #expect(order.intention?.verb == .start)
        #expect(order.intention?.settings.appBuild == "2")
    }

    // P49 P50
    @Test func `many statuses without a token make one card`() {
        var order = OneOrder()
        for (index, word) in [
            "order.placed", "order.accepted", "order.ready", "order.picked_up", "order.on_the_way",
            "courier.nearby",
        ].enumerated() {
            order.happens(word, at: Double(index))
            order.send()
        }
        #expect(order.sent == ["start on_the_way"])
        #expect(order.onScreen().count == 1)
    }

    // P51
    @Test func `what happened before the token goes out once, newest first and last`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.happens("eta.changed", at: 1) { $0.eta = .known(minute(20)) }
        order.happens("eta.changed", at: 2) { $0.eta = .known(minute(25)) }
        order.happens("courier.waiting", at: 3)
        #expect(order.card()?.intention?.dueAt == nil)
        order.registers()
        order.send()
        #expect(order.sent == ["start on_the_way", "update courier_waiting"])
        #expect(order.onScreen().first?.eta == minute(25))
    }

    @Test(arguments: [(Int64(60), 3), (Int64(120), 2)])
    func `an arrival time is worth an update from the policy's step on`(step: Int64, updates: Int) {
        var order = OneOrder.running()
        order.world.policy.etaStep = .seconds(step)
        // Known, then half a minute later, then a minute and a half later than what is shown.
        for (index, eta) in [20, 20.5, 21.5].enumerated() {
            order.passes(minutes: 2)
            order.happens("eta.changed", at: Double(index) + 1) { $0.eta = .known(minute(eta)) }
            order.send()
        }
        #expect(order.sent.count == updates)
    }

    // P53
    @Test func `no start token is a reason, and a token that comes is used`() {
        var order = OneOrder(phones: [])
        var registration = DeviceRegistration(observedAt: minute(0))
        registration.customer = OneOrder.owner
        order.world.tell(OneOrder.phone, .registered(registration))
        order.happens("order.on_the_way", at: 0)
        #expect(order.card()?.reason == .noStartToken)
        #expect(order.card()?.intention == nil)
        order.world.logIn(OneOrder.phone, OneOrder.owner)
        order.settleRelays()
        order.send()
        #expect(order.sent == ["start on_the_way"])
    }

    // P43
    @Test func `a second phone that comes late starts too, and both end`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.registers()
        order.world.logIn(OneOrder.tablet, OneOrder.owner)
        order.settleRelays()
        order.send()
        order.registers(OneOrder.tablet)
        order.happens("order.delivered", at: 9)
        order.send()
        #expect(order.sent(to: OneOrder.phone) == [.start, .end])
        #expect(order.sent(to: OneOrder.tablet) == [.start, .end])
    }

    @Test func `a token that comes after the delivery gets its end`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.happens("order.delivered", at: 1)
        #expect(order.card()?.state == .ending)
        order.send()
        #expect(order.sent == ["start on_the_way"])
        order.registers()
        order.send()
        #expect(order.sent == ["start on_the_way", "end delivered"])
    }

    // P42 P78
    @Test func `after an end nothing is sent, and why is recorded`() {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 5)
        order.send()
        order.happens("eta.changed", at: 6) { $0.eta = .known(minute(30)) }
        order.send()
        #expect(order.sent.last == "end delivered")
        #expect(order.card()?.reason == .alreadyEnded)
        #expect(order.card()?.intention == nil)
    }

    @Test func `a dismissed card never returns`() {
        var order = OneOrder.running()
        order.world.swipeAway(OneOrder.phone)
        order.happens("courier.waiting", at: 5)
        order.happens("order.delivered", at: 6)
        order.send()
        #expect(order.sent == ["start on_the_way"])
        #expect(order.card()?.state == .dismissed)
    }

    @Test func `a reopened order gets another card`() {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 5)
        order.send()
        order.happens("order.reopened", at: 6) { $0.phase = .onTheWay }
        order.send()
        order.registers()
        #expect(order.card()?.incarnation == 2)
        #expect(order.card()?.state == .live)
        #expect(order.sent == ["start on_the_way", "end delivered", "start on_the_way"])
    }

    @Test func `an end that may have arrived is followed by an end alone`() {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 5)
        order.send(.lostOnTheWayBack)
        order.happens("order.reopened", at: 6) { $0.phase = .onTheWay }
        order.passes(minutes: 1)
        order.send()
        order.send()
        #expect(order.sent == ["start on_the_way", "end on_the_way", "start on_the_way"])
    }

    // MARK: - The app is first

    @Test func `a card registered before the first event waits for it, then shows it`() {
        var order = OneOrder()
        order.world.startInApp(OneOrder.phone, OneOrder.id)
        order.registers()
        order.send()
        #expect(order.card()?.reason == .orderUnknown)
        #expect(order.sent.isEmpty)
        order.happens("order.accepted", at: 1)
        order.send()
        #expect(order.sent == ["update accepted"])
    }

    @Test func `of two cards the app's own stays`() {
        var order = OneOrder.running()
        order.world.startInApp(OneOrder.phone, OneOrder.id)
        order.registers()
        order.passes(minutes: 1)
        order.send()
        #expect(order.onScreen().map(\.isRunning) == [false, true])
        #expect(order.world.orders[OneOrder.id]?.activities.first?.state == .ended(.duplicate))
    }

    // MARK: - Owners

    @Test func `logging out ends the cards at once and silently`() {
        var order = OneOrder.running()
        order.world.logOut(OneOrder.phone)
        order.settleRelays()
        order.send()
        let end = order.world.record.accepted.last?.intention
        #expect(end?.verb == .end)
        #expect(end?.dismissAfter == .zero)
        #expect(end?.alerts == [])
        #expect(end?.settings.environment == .sandbox)
        #expect(order.card()?.state == .ended(.owner))
    }
}
