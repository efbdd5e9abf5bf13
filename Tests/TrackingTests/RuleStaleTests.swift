import Testing
import Tracking

/// How long a card may be believed, and what is said when it may not (engine rules 6 and 15).
@Suite struct RuleStaleTests {
    @Test(arguments: [(20.0, 25.0), (200, 80), (-4.9, 0.5)])
    func `a card is good until five minutes after its arrival time, or its quiet window`(eta: Double, until: Double) {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0) { $0.eta = .known(minute(eta)) }
        #expect(order.intention?.staleAfter == minute(until) - noon)
    }

    @Test(arguments: [
        ("order.placed", Phase.placed, 90.0), ("order.accepted", .accepted, 80), ("order.on_the_way", .onTheWay, 80),
        ("courier.waiting", .courierWaiting, 15),
    ])
    func `every phase has its quiet window`(word: String, phase: Phase, minutes: Double) {
        var order = OneOrder { $0.startAt = .placed }
        order.happens(word, at: 0)
        #expect(order.intention?.content.phase == phase)
        #expect(order.intention?.staleAfter == minute(minutes) - noon)
    }

    @Test func `a stale date is two minutes ahead where the push is not urgent`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0) { $0.eta = .known(minute(0)) }
        order.send()
        order.registers()
        order.happens("courier.assigned", at: 4) { $0.courier = .init(id: "1", name: "Ana") }
        #expect(order.intention?.priority == 5)
        #expect(order.intention?.staleAfter == .seconds(120))
    }

    @Test func `a promise that ends before the stale date is kept in mind`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0) { $0.eta = .known(minute(-4.9)) }
        order.send()
        order.registers()
        #expect(order.card()?.shown?.staleAt == minute(0.5))
        order.waits(minutes: 0.1)
        #expect(order.card()?.reason == .promiseBroken)
    }

    @Test func `a push that waited promises no more than it did`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        let later = order.intention?.leaving(at: minute(70))
        #expect(later?.staleAfter == .seconds(600))
        #expect(later?.expiresAfter == .seconds(300))
        let muchLater = order.intention?.leaving(at: minute(90))
        #expect(muchLater?.staleAfter == .seconds(30))
        #expect(muchLater?.expiresAfter == .seconds(30))
    }

    @Test func `nothing is stored longer than it is true`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        #expect(order.intention?.expiresAfter == .seconds(300))
        order.send()
        order.registers()
        order.happens("courier.assigned", at: 1) { $0.courier = .init(id: "1", name: "Ana") }
        #expect(order.intention?.expiresAfter == .seconds(120))
        order.happens("courier.waiting", at: 2)
        #expect(order.intention?.expiresAfter == .seconds(900))
        var late = OneOrder()
        late.happens("order.on_the_way", at: 0) { $0.eta = .known(minute(-4.9)) }
        #expect(late.intention?.expiresAfter == .seconds(30))
    }

    // MARK: - Broken promises

    @Test(arguments: [(nil, 80.0), (10.0, 15)])
    func `a promise that runs out is told, silently`(eta: Double?, after: Double) {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0) { $0.eta = eta.map { .known(minute($0)) } ?? .absent }
        order.send()
        order.registers()
        order.waits(minutes: after - 0.1)
        #expect(order.intention == nil)
        order.waits(minutes: 0.1)
        #expect(order.card()?.reason == .promiseBroken)
        #expect(order.intention?.content == Content(phase: .onTheWay, isStale: true))
        #expect(order.intention?.priority == 10)
        #expect(order.intention?.alerts == [])
        #expect(order.decided?.kind == .markStale)
    }

    @Test func `what confirms a broken promise is shown`() {
        var order = OneOrder.running()
        order.waits(minutes: 81)
        order.send()
        #expect(order.onScreen().first?.isStale == true)
        order.happens("order.picked_up", at: 82)
        #expect(order.card()?.reason == .confirmedAgain)
        #expect(order.intention?.content.isStale == false)
        #expect(order.intention?.priority == 5)
    }

    @Test func `a courier who leaves on the way breaks the promise at once`() {
        var order = OneOrder.running()
        order.happens("courier.unassigned", at: 1)
        #expect(order.card()?.reason == .promiseBroken)
        order.happens("courier.reassigned", at: 2)
        #expect(order.intention?.content.isStale != true)
    }

    @Test func `a broken promise uses the budget's reserve`() {
        var order = OneOrder { $0.urgentPerHour = 3 }
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.registers()
        order.happens("courier.unassigned", at: 1)
        #expect(order.intention?.priority == 10)
    }

    // MARK: - Parked

    @Test func `the card of a parked order is marked once and ends at its deadline`() {
        var order = OneOrder.running()
        order.passes(minutes: 1)
        order.hears(.parked)
        order.send()
        #expect(order.lastSent?.content.isStale == true)
        order.waits(minutes: 178.9)
        order.send()
        #expect(order.sent == ["start on_the_way", "update on_the_way"])
        order.waits(minutes: 0.1)
        order.send()
        #expect(order.sent.last == "end on_the_way")
        #expect(order.card()?.state == .ended(.deadline))
    }

    @Test func `a mended order shows itself again`() {
        var order = OneOrder.running()
        order.passes(minutes: 1)
        order.hears(.parked)
        order.send()
        order.passes(minutes: 1)
        order.hears(.unparked)
        order.send()
        #expect(order.onScreen().first?.isStale == false)
    }
}
