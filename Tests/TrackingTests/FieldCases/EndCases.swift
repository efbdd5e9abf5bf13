import Testing
import Tracking

/// Cards that were reported to stay, to come back or to vanish.
@Suite struct EndCases {
    // P42
    @Test func `an end that nobody saw still lets go of the card`() {
        var order = OneOrder.running()
        order.world.rotateCard(OneOrder.phone)
        order.happens("order.delivered", at: 5)
        order.send()
        #expect(order.card()?.state == .ended(.unconfirmed))
        order.happens("eta.changed", at: 6) { $0.eta = .known(minute(30)) }
        order.lives(minutes: 30)
        #expect(order.sent == ["start on_the_way"])
    }

    // P61
    @Test(arguments: [ReportedState.ended, .dismissed])
    func `our own end is not taken for a swipe`(report: ReportedState) throws {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 5)
        order.send()
        let card = try #require(order.onScreen().first)
        let sequence = order.world.phones[OneOrder.phone]?.nextSequence()
        order.world.tell(OneOrder.id, .reported(CardReport(activity: card.id, state: report, sequence: sequence)))
        #expect(order.card()?.state == .ended(.delivered))
        order.happens("order.reopened", at: 6) { $0.phase = .onTheWay }
        order.send()
        #expect(order.sent.last == "start on_the_way", "an order that goes on may have another card")
    }

    // P62
    @Test func `a dead update token starts no second card unless the policy says so, and then one`() {
        for restarts in [false, true] {
            var order = OneOrder.running()
            order.world.policy.restartAfter410 = restarts
            order.world.policy.maxActivities = 5
            for (index, word) in ["courier.nearby", "courier.waiting", "eta.changed"].enumerated() {
                let time = Double(index + 1) * 10
                order.loseCards()
                order.happens(word, at: time) { $0.eta = .known(minute(60 + time)) }
                for _ in 0..<3 {
                    order.send()
                    order.registers()
                    order.passes(minutes: 1)
                }
            }
            #expect(order.sent.filter { $0.hasPrefix("start") }.count == (restarts ? 2 : 1))
        }
    }

    // P62
    @Test func `a dead update token of an order that is over starts nothing`() {
        var order = OneOrder.running()
        order.world.policy.restartAfter410 = true
        order.loseCards()
        order.happens("order.delivered", at: 5)
        order.send()
        order.lives(minutes: 5)
        #expect(order.sent == ["start on_the_way"])
        #expect(order.card()?.state == .ended(.unconfirmed))
    }

    // P71
    @Test(arguments: ["order.delivered", "order.cancelled", "order.returned"])
    func `an end that is stamped older than what is shown still ends`(word: String) throws {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 20)
        order.send()
        order.happens(word, at: 3)
        order.send()
        let end = try #require(order.world.record.accepted.last)
        let earlier = order.world.record.accepted.dropLast().map(\.stamp)
        #expect(end.intention.verb == .end)
        #expect(earlier.allSatisfy { $0 < end.stamp }, "the phone would drop an older timestamp")
        #expect(order.onScreen().first?.hasEnded == true)
        #expect(order.onScreen().first?.phase?.isFinal == true)
    }

    // P77
    @Test(arguments: [World.Fate.refused, .lostOnTheWay, .lostOnTheWayBack])
    func `after the delivery the clock alone ends the card`(fate: World.Fate) {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 5)
        order.send(fate)
        order.lives(minutes: 2)
        #expect(order.sent.last == "end delivered")
        #expect(order.onScreen().first?.hasEnded == true)
        #expect(order.card()?.state == .ended(.delivered))
    }

    // P77
    @Test func `an order that nobody finishes loses its card to the deadline`() {
        var order = OneOrder.running()
        order.lives(minutes: 185)
        #expect(order.sent.last == "end on_the_way")
        #expect(order.card()?.state == .ended(.deadline))
        #expect(order.onScreen().first?.hasEnded == true)
    }

    // P54
    @Test func `an old card ends only when the next one is there`() {
        var order = OneOrder()
        order.world.policy.rollover = true
        order.world.policy.deadlineAfter = .seconds(10 * 3600)
        order.world.policy.maxStartAge = nil
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.registers()
        order.lives(minutes: 7 * 60 + 46)
        #expect(order.onScreen().map(\.isRunning) == [true, true])
        order.registers()
        order.send()
        #expect(order.onScreen().map(\.isRunning) == [false, true])
        #expect(order.world.orders[OneOrder.id]?.activities.first?.state == .ended(.rollover))
        #expect(order.card()?.state == .live)
    }
}

extension OneOrder {
    /// The phone has none of its cards any more and APNs none of their tokens; nobody tells.
    mutating func loseCards() {
        guard var phone = world.phones[Self.phone] else { return }
        for index in phone.cards.indices where phone.cards[index].isRunning {
            phone.replaced[phone.cards[index].token] = world.now
            phone.cards[index].token = world.fresh()
            phone.cards[index].hasEnded = true
        }
        world.phones[Self.phone] = phone
    }
}
