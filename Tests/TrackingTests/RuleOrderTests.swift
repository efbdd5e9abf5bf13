import Testing
import Tracking

/// What an order waits for itself, and whom it tells (engine rules, sections 1, 2 and 6).
@Suite struct RuleOrderTests {
    @Test func `a failed attempt that nobody repeats fails the order after an hour`() {
        var order = OneOrder.running()
        order.happens("delivery.attempt_failed", at: 5)
        order.send()
        order.waits(minutes: 59.9)
        #expect(order.stream.order.phase == .onTheWay)
        order.waits(minutes: 0.1)
        #expect(order.stream.order.phase == .failed)
        #expect(order.stream.order.reason == "attempt_expired")
        #expect(order.stream.order.revision == 2)
        order.send()
        #expect(order.states == [.ended(.failed)])
    }

    @Test func `another attempt within the hour goes on, and has an hour of its own`() {
        var order = OneOrder.running()
        order.happens("delivery.attempt_failed", at: 5)
        order.happens("order.on_the_way", at: 30)
        order.happens("delivery.attempt_failed", at: 40)
        order.waits(minutes: 59.9)
        #expect(order.stream.order.phase == .onTheWay)
        order.waits(minutes: 0.1)
        #expect(order.stream.order.phase == .failed)
    }

    @Test func `an attempt that was made during the wait has an hour of its own`() {
        var order = OneOrder.running()
        order.happens("delivery.attempt_failed", at: 5)
        order.happens("delivery.attempt_failed", at: 40)
        order.waits(minutes: 59.9)
        #expect(order.stream.order.phase == .onTheWay)
        order.waits(minutes: 0.1)
        #expect(order.stream.order.phase == .failed)
    }

    @Test func `a retry that is heard of too late undoes the failure`() {
        var order = OneOrder.running()
        order.happens("delivery.attempt_failed", at: 5)
        order.waits(minutes: 61)
        #expect(order.stream.order.phase == .failed)
        order.happens("order.on_the_way", at: 20)
        #expect(order.stream.order.phase == .onTheWay)
    }

    private static let wish = PendingCommand(id: "wish", command: "leave_at_door")

    @Test func `a request that nobody answers is forgotten after a minute`() {
        var order = OneOrder.running()
        order.passes(minutes: 1)
        order.hears(.commandRequested(Self.wish))
        #expect(order.intention?.content.pendingCommand == "leave_at_door")
        order.send()
        order.waits(minutes: 0.9)
        #expect(order.stream.pendingCommand == Self.wish)
        order.waits(minutes: 0.1)
        #expect(order.stream.pendingCommand == nil)
        order.send()
        #expect(order.onScreen().first?.digest == Content(phase: .onTheWay).digest)
    }

    @Test func `a partner's answer settles the request it names`() {
        var order = OneOrder.running()
        order.hears(.commandRequested(Self.wish))
        order.happens("courier.nearby", at: 1) { $0.answers = "another" }
        #expect(order.stream.pendingCommand == Self.wish)
        order.happens("courier.nearby", at: 1.1) { $0.answers = "wish" }
        #expect(order.stream.pendingCommand == nil)
    }

    @Test func `the end of the order settles every request`() {
        var order = OneOrder.running()
        order.hears(.commandRequested(Self.wish))
        order.happens("order.delivered", at: 1)
        #expect(order.stream.pendingCommand == nil)
    }

    // MARK: - Links

    @Test func `an order that is over lets go of its customer, reopened it asks again`() {
        var order = OneOrder.running()
        #expect(order.world.customers[OneOrder.owner]?.orders == [OneOrder.id])
        order.happens("order.delivered", at: 1)
        #expect(!order.stream.closed)
        order.send()
        #expect(order.stream.closed)
        #expect(order.stream.devices.isEmpty)
        #expect(order.world.customers[OneOrder.owner]?.orders == [])
        order.happens("order.reopened", at: 2) { $0.phase = .onTheWay }
        #expect(order.world.customers[OneOrder.owner]?.orders == [OneOrder.id])
        #expect(order.stream.devices.count == 1)
    }

    @Test func `an older word about a device never replaces a newer one`() {
        var snapshot = DeviceSnapshot(
            device: OneOrder.phone,
            customer: OneOrder.owner,
            generation: 9,
            hasStartToken: true,
            settings: DeviceSettings()
        )
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        var customer = CustomerStream(id: OneOrder.owner, orders: [OneOrder.id])
        order.hears(.deviceAvailable(snapshot))
        _ = customer.handle(.deviceJoined(snapshot))
        snapshot.generation = 8
        snapshot.hasStartToken = false
        order.hears(.deviceAvailable(snapshot))
        #expect(order.stream.devices[OneOrder.phone]?.generation == 9)
        #expect(customer.handle(.deviceChanged(snapshot)).isEmpty)
        #expect(customer.devices[OneOrder.phone]?.generation == 9)
    }

    // MARK: - Timers

    @Test func `a timer of an older setting means nothing`() {
        var order = OneOrder.running()
        let old = order.stream.timers.first
        order.world.now = minute(200)
        order.hears(
            .timerRang(
                TimerRang(
                    device: OneOrder.phone,
                    incarnation: 1,
                    kind: .deadline,
                    generation: (old?.timer.generation ?? 0) - 1,
                    at: minute(200)
                )
            )
        )
        #expect(order.card()?.mustEnd == nil)
        // The one that is set, and due as well, is still to ring.
        order.waits(minutes: 0)
        #expect(order.card()?.mustEnd == .deadline)
    }

    @Test func `a moment that moves later sets no timer anew`() {
        var order = OneOrder.running()
        let first = order.stream.timers
        order.happens("order.picked_up", at: 1)
        #expect(order.stream.timers == first)
        order.happens("courier.waiting", at: 2)
        #expect(order.stream.timers.map(\.timer.dueAt) == [minute(17)])
    }
}
