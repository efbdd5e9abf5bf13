import Simulation
import Testing
import Tracking

/// Ten minutes in which nothing can be sent, with a thousand open orders.
struct OutageTests {
    private static let outage = minute(30)..<minute(40)

    @Test func `afterwards a phone gets one push at most, and nothing that is too old`() {
        var settings = SimulationSettings()
        settings.outage = Self.outage
        var kinds: [Decision.Kind: Int] = [:]
        for number in 0..<1000 {
            var order = OneOrder(settings: settings)
            for fact in Self.story(number) { order.household.happens(fact, to: OneOrder.id) }
            order.household.pass(to: Self.outage.upperBound + .seconds(120))
            #expect(!order.pushes.contains { Self.outage.contains($0.at) })
            let after = order.pushes.filter { $0.at >= Self.outage.upperBound }
            #expect(after.count <= 1, "order \(number): \(after.words)")
            for push in after {
                kinds[push.kind, default: 0] += 1
                expectFresh(push, order)
            }
            expectShown(order)
            order.household.rest()
            #expect(order.household.figures.dishonest == .zero, "order \(number)")
        }
        for kind in [Decision.Kind.start, .update, .end] { #expect(kinds[kind, default: 0] > 50) }
    }

    private func expectFresh(_ push: SentPush, _ order: OneOrder) {
        let order = order.household.stream(OneOrder.id)?.order
        if push.kind == .start {
            #expect(order?.phase.isFinal == false)
        } else if !push.intention.alerts.isEmpty {
            #expect(order?.since.map { push.at - $0 <= Policy().alertMaxAge } == true)
        }
    }

    private func expectShown(_ order: OneOrder) {
        guard let stream = order.household.stream(OneOrder.id), let card = order.cards.first else { return }
        #expect(card.content?.phase == stream.order.phase)
        #expect(card.isRunning == !stream.order.phase.isFinal)
    }

    /// Some are on their way before the outage, some set off during it, and a few are over by its end.
    private static func story(_ number: Int) -> [PartnerFact] {
        let setsOff = number % 3 == 0 ? 31 + Double(number % 7) : 5 + Double(number % 20)
        var facts = [event("order.accepted", at: 0), event("order.on_the_way", at: setsOff)]
        for eta in 0..<(number % 5) {
            facts.append(
                event("eta.changed", at: 30 + Double(eta * 2) + 0.5) { $0.eta = .known(minute(90 + Double(eta * 3))) }
            )
        }
        if number % 4 == 1 { facts.append(event("courier.waiting", at: 38.5 - Double(number % 6))) }
        if number % 5 == 2 { facts.append(event("order.delivered", at: 39.5)) }
        if number % 7 == 3 { facts.append(event("order.cancelled", at: 39 - Double(number % 8))) }
        return facts.sorted { $0.key < $1.key }
    }
}
