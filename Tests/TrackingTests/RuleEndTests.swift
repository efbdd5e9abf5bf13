import Testing
import Tracking

/// How cards end (engine rules 7 and 8).
@Suite struct RuleEndTests {
    @Test(arguments: [
        ("order.delivered", EndReason.delivered, 600), ("order.cancelled", .cancelled, 3600),
        ("order.returning", .failed, 3600), ("order.returned", .returned, 3600),
    ])
    func `every final phase ends the card with its own words`(word: String, why: EndReason, stays: Int) {
        var order = OneOrder.running()
        order.happens(word, at: 5)
        #expect(order.intention?.verb == .end)
        #expect(order.intention?.dismissAfter == .seconds(stays))
        #expect(order.intention?.orderRevision == 2)
        order.send()
        #expect(order.lastSent?.content.phase.name == why.rawValue)
        #expect(order.states == [.ended(why)])
    }

    @Test func `an end is stored until the card's life is over`() {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 5)
        #expect(order.intention?.expiresAfter == minute(12 * 60) - minute(5))
    }

    @Test func `a final that is older than what is shown ends the card`() {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 5)
        order.send()
        order.happens("order.delivered", at: 3)
        order.send()
        #expect(order.sent.last == "end delivered")
    }

    @Test func `an unsent end is taken back only when the order is reopened`() {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 5)
        order.happens("eta.changed", at: 6) { $0.eta = .known(minute(30)) }
        #expect(order.intention?.verb == .end)
        order.happens("order.reopened", at: 7) { $0.phase = .courierWaiting }
        #expect(order.intention?.verb == .update)
        #expect(order.card()?.state == .live)
    }

    @Test func `an end that waits for a token is taken back when the order is reopened`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.happens("order.delivered", at: 1)
        #expect(order.card()?.state == .ending)
        order.happens("order.reopened", at: 2) { $0.phase = .onTheWay }
        #expect(order.card()?.state == .starting)
        order.registers()
        order.passes(minutes: 1)
        order.send()
        #expect(order.states == [.live])
    }

    @Test func `an end that another card's push may have replaced is said once more`() {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 5)
        order.send()
        order.hears(.farewellAtRisk(OneOrder.phone, incarnation: 1))
        #expect(order.card()?.reason == .endRepeated)
        #expect(order.intention?.priority == 5)
        #expect(order.intention?.dueAt == minute(15))
        let first = order.card()?.shown?.stamp ?? 0
        order.passes(minutes: 10)
        order.send()
        #expect(order.sent.suffix(2) == ["end delivered", "end delivered"])
        #expect(order.card()?.shown?.stamp ?? 0 > first)
        order.hears(.farewellAtRisk(OneOrder.phone, incarnation: 1))
        #expect(order.intention == nil)
    }

    @Test func `an end of which the app told is not repeated`() {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 5)
        order.send()
        order.hears(.farewellAtRisk(OneOrder.phone, incarnation: 1))
        let card = order.onScreen()[0].id
        order.hears(.reported(CardReport(activity: card, state: .ended, sequence: 1000)))
        #expect(order.intention == nil)
        #expect(order.card()?.state == .ended(.delivered))
    }

    @Test func `a phone with another card repeats the end`() {
        var order = OneOrder.running()
        order.world.tell(OneOrder.phone, .message(.cardLive(OrderID("another"), incarnation: 1)))
        order.happens("order.delivered", at: 5)
        order.send()
        #expect(order.card()?.farewell == .atRisk)
    }

    // MARK: - Age

    @Test(arguments: [(nil, 180.0), (60.0, 240)])
    func `three hours after its start, or after the time ordered for, a card ends`(scheduled: Double?, after: Double) {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0) { $0.scheduledFor = scheduled.map(minute) }
        order.send()
        order.registers()
        order.waits(minutes: after - 0.1)
        #expect(order.intention?.verb == .update)
        order.waits(minutes: 0.1)
        #expect(order.card()?.reason == .deadlinePassed)
        #expect(order.intention?.dismissAfter == .seconds(3600))
        #expect(order.intention?.content.isStale == true)
        order.send()
        #expect(order.states == [.ended(.deadline)])
    }

    @Test func `of two cards that are due at one moment each ends`() {
        var order = OneOrder(phones: [OneOrder.phone, OneOrder.tablet])
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.registers()
        order.registers(OneOrder.tablet)
        order.waits(minutes: 180)
        #expect(order.card()?.reason == .deadlinePassed)
        #expect(order.card(OneOrder.tablet)?.reason == .deadlinePassed)
    }

    @Test func `a card ends before the system would end it`() {
        var order = OneOrder { $0.deadlineAfter = .seconds(10 * 3600) }
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.registers()
        order.waits(minutes: 474.9)
        #expect(order.intention?.verb == .update)
        order.waits(minutes: 0.1)
        #expect(order.card()?.reason == .lifetimeOver)
        order.send()
        #expect(order.states == [.ended(.lifetime)])
        order.happens("courier.waiting", at: 480)
        order.send()
        #expect(order.states == [.ended(.lifetime)])
    }

    @Test func `a card that rolls over ends when the next is registered`() {
        var order = OneOrder { $0.rollover = true }
        order.world.policy.deadlineAfter = .seconds(20 * 3600)
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.registers()
        order.happens("courier.nearby", at: 460)
        order.waits(minutes: 4.9)
        #expect(order.states == [.live])
        order.waits(minutes: 0.1)
        order.send()
        #expect(order.states == [.live, .starting])
        order.registers()
        order.send()
        #expect(order.states == [.ended(.rollover), .live])
        #expect(order.lastSent?.dismissAfter == .zero)
        #expect(order.onScreen().map(\.isRunning) == [false, true])
    }

    @Test func `after half a day nobody needs to confirm an end`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.happens("order.delivered", at: 1)
        order.waits(minutes: 718.9)
        #expect(order.states == [.ending])
        order.waits(minutes: 0.1)
        #expect(order.states == [.ended(.unconfirmed)])
    }
}
