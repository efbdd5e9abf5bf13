import Simulation
import Testing
import Tracking

/// Reports from the field, over the whole life of an order.
struct LongOrderTests {
    @Test func `the last state of a burst arrives`() {
        // P70
        var order = OneOrder.running()
        let words = [
            "courier.nearby", "eta.changed", "courier.waiting", "eta.changed", "order.reopened", "eta.changed",
            "order.on_the_way", "courier.nearby", "eta.changed", "courier.waiting",
        ]
        for (number, word) in words.enumerated() {
            order.happens(word, at: 5 + Double(number) / 600) { data in
                if word == "eta.changed" { data.eta = .known(minute(30 + Double(number))) }
                if word == "order.reopened" { data.phase = .onTheWay }
            }
        }
        order.household.pass(to: minute(8))
        let shown = order.cards.first?.content
        #expect(shown?.phase == .courierWaiting)
        #expect(shown?.eta == minute(38))
        #expect(shown == order.household.stream(OneOrder.id)?.content(at: order.household.now, policy: Policy()))
        #expect(order.pushes.filter { $0.at > minute(4) }.count < words.count)
    }

    @Test func `priority 10 keeps to its budget in every hour`() {
        // P75
        var order = OneOrder.running()
        for number in 0..<60 {
            order.happens(number % 2 == 0 ? "courier.waiting" : "order.reopened", at: Double(number) + 1) { data in
                if number % 2 == 1 { data.phase = .onTheWay }
                data.courier = .init(id: "\(number)", name: "Courier \(number)")
            }
        }
        order.happens("order.delivered", at: 61)
        order.household.pass(to: minute(70))
        let urgent = order.pushes.filter { $0.intention.priority == 10 && $0.intention.verb != .start }
        for push in urgent {
            let hour = urgent.count { $0.at > push.at - .seconds(3600) && $0.at <= push.at }
            #expect(hour <= Policy().urgentPerHour)
        }
        #expect(order.pushes.contains { $0.intention.priority == 5 && $0.intention.reason == .phaseChanged })
        #expect(order.pushes.last?.kind == .end)
        #expect(order.household.figures.dishonest == .zero)
    }

    @Test func `ten quiet minutes in one phase are never stale`() {
        // P59
        var order = OneOrder.running()
        order.household.pass(to: minute(10.1))
        order.happens("courier.nearby", at: 10.2)
        #expect(order.pushes.words == ["start on_the_way"])
        #expect(order.household.figures.shownStale == .zero)
        #expect(order.cards.first?.content?.isStale == false)
        #expect(order.cards.first?.staleAt.map { $0 > minute(10) } == true)
    }

    @Test func `thirty small moves of the arrival time take two pushes`() {
        // D22
        var order = OneOrder.running()
        order.happens("eta.changed", at: 1) { $0.eta = .known(minute(40)) }
        order.household.pass(to: minute(5))
        let before = order.pushes.count
        for number in 1...30 {
            order.happens("eta.changed", at: 5 + Double(number) / 30) {
                $0.eta = .known(minute(40) + .seconds(10 * number))
            }
        }
        order.household.pass(to: minute(15))
        #expect((1...2).contains(order.pushes.count - before))
        #expect(order.household.stream(OneOrder.id)?.order.revision == 32)
        let shown = order.cards.first?.content?.eta
        #expect(shown.map { minute(45) - $0 < .seconds(60) } == true)
    }

    @Test func `when the final event never comes the clock ends the card`() {
        // P77
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 20)
        order.household.pass(to: minute(600))
        #expect(order.pushes.words.last == "end courier_waiting")
        #expect(order.pushes.last?.intention.reason == .deadlinePassed)
        #expect(order.pushes.last?.at == noon + Policy().deadlineAfter)
        #expect(order.cards.first?.isRunning == false)
        #expect(order.pushes.words.contains("markStale courier_waiting"))
        #expect(order.household.figures.dishonest == .zero)
        order.household.rest()
        #expect(order.household.figures.endings == ["deadline": 1])
    }

    @Test func `after a delivery the card goes without another word`() {
        // P77
        var order = OneOrder.running()
        order.happens("order.delivered", at: 20)
        order.household.rest()
        #expect(order.pushes.words == ["start on_the_way", "end delivered"])
        #expect(order.pushes.last?.at == minute(20))
        #expect(order.pushes.last?.intention.dismissAfter == Policy().dismissAfterDelivered)
        #expect(order.household.figures.endings == ["delivered": 1])
    }
}
