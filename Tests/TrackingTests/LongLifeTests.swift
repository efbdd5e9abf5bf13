import Testing
import Tracking

/// Long orders, and ends that meet other news on their way.
@Suite struct LongLifeTests {
    @Test func `a card whose life is nearly over hands on to the next one`() {
        var order = OneOrder()
        order.world.policy.rollover = true
        order.world.policy.deadlineAfter = .seconds(10 * 3600)
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.registers()
        order.lives(minutes: 7 * 60 + 50)
        #expect(order.sent.filter { $0 == "start on_the_way" }.count == 2)
        order.registers()
        order.lives(minutes: 1)
        let cards = order.world.orders[OneOrder.id]?.activities ?? []
        #expect(cards.map(\.state) == [.ended(.rollover), .live])
    }

    @Test func `the deadline counts from the first of the cards that hand on`() {
        var order = OneOrder()
        order.world.policy.rollover = true
        order.world.policy.deadlineAfter = .seconds(10 * 3600)
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.registers()
        order.lives(minutes: 7 * 60 + 50)
        order.registers()
        order.lives(minutes: 2 * 60 + 9)
        #expect(order.card()?.state == .live)
        order.lives(minutes: 2)
        let cards = order.world.orders[OneOrder.id]?.activities ?? []
        #expect(cards.map(\.state) == [.ended(.rollover), .ended(.deadline)])
        #expect(order.world.nextTimer == nil)
    }

    @Test func `without handing on a card ends before the system ends it`() {
        var order = OneOrder()
        order.world.policy.deadlineAfter = .seconds(10 * 3600)
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.registers()
        order.lives(minutes: 7 * 60 + 56)
        #expect(order.card()?.state == .ended(.lifetime))
        #expect(order.sent.last == "end on_the_way")
    }

    // P61
    @Test func `an app that reports our end before APNs answered it does not hide why`() throws {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 5)
        _ = order.claims()
        let card = try #require(order.onScreen().first)
        let sequence = order.world.phones[OneOrder.phone]?.nextSequence()
        order.world.tell(OneOrder.id, .reported(CardReport(activity: card.id, state: .ended, sequence: sequence)))
        while order.world.answer([.accepted]) {}
        #expect(order.card()?.state == .ended(.delivered))
        order.happens("order.reopened", at: 6) { $0.phase = .onTheWay }
        order.send()
        #expect(order.card()?.incarnation == 2)
    }

    // D23
    @Test func `a sight of nobody in particular confirms no order without a courier`() {
        var order = OneOrder()
        order.happens("order.accepted", at: 0)
        order.happens("courier.assigned", at: 1) { $0.courier = .init(id: "a", name: "Ana") }
        order.happens("courier.unassigned", at: 2)
        order.passes(minutes: 10)
        order.world.tell(OneOrder.id, .courierSeen(courier: nil))
        #expect(order.world.orders[OneOrder.id]?.asOf == minute(2))
    }

    @Test func `a repeated end says what was accepted, whatever the order became since`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.world.tell(OrderID("other"), .partner(event("order.on_the_way", at: 0) { $0.customer = OneOrder.owner }))
        order.settleRelays()
        order.passes(minutes: 1)
        order.send()
        order.registers()
        order.happens("order.delivered", at: 10)
        order.send()
        order.happens("order.cancelled", at: 5)
        order.lives(minutes: 15)
        let ends = order.world.record.accepted.filter { $0.order == OneOrder.id && $0.intention.verb == .end }
        #expect(ends.map(\.intention.content.phase) == [.delivered, .delivered])
        #expect(ends.map(\.intention.reason) == [.orderDelivered, .endRepeated])
    }
}
