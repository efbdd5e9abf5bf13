import Simulation
import Testing
import Tracking

/// An app that starts a card while a push starts one for the same order.
struct TwoCardsTests {
    /// The push start leaves at noon; its card's token comes after two seconds, that of the app's own card after so many.
    @Test(arguments: [1, 5])
    func `the app's own card stays and the pushed one ends at once`(seconds: Int) {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.household.startInApp(OneOrder.id, tokenAfter: .seconds(seconds))
        order.household.pass(to: minute(5))
        expectOne(order)
        order.happens("order.delivered", at: 20)
        order.household.rest()
        #expect(order.pushes.last?.kind == .end)
        #expect(order.pushes.last?.intention.content.phase == .delivered)
        #expect(order.household.figures.endings == ["duplicate": 1, "delivered": 1])
    }

    private func expectOne(_ order: OneOrder) {
        let running = order.cards.filter(\.isRunning)
        #expect(running.map(\.origin) == [.app])
        #expect(running.first?.content?.phase == .onTheWay)
        let pushed = order.cards.first { $0.origin == .server }
        let ended = pushed?.endedAt
        #expect(ended.map { $0 <= noon + .seconds(5) } == true)
        let end = order.pushes.first { $0.kind == .end }
        #expect(end?.intention.reason == .duplicateCard)
        #expect(end?.intention.dismissAfter == .zero)
        #expect(end?.intention.alerts == [])
        #expect(order.pushes.count { $0.kind == .end } == 1)
        let states = order.household.stream(OneOrder.id)?.activities.map(\.state)
        #expect(states.map(Set.init) == [.live, .ended(.duplicate)])
    }

    @Test func `where the app was first there is no push start`() {
        var order = OneOrder()
        order.happens("order.accepted", at: 0)
        order.household.startInApp(OneOrder.id, tokenAfter: .seconds(1))
        order.happens("order.on_the_way", at: 1)
        order.household.pass(to: minute(5))
        #expect(order.cards.map(\.origin) == [.app])
        #expect(!order.pushes.contains { $0.kind == .start })
        #expect(order.cards.first?.content?.phase == .onTheWay)
    }

    @Test func `a push start waits for an app that asked`() {
        var order = OneOrder()
        order.happens("order.accepted", at: 0)
        order.household.pass(to: minute(1) - .seconds(10))
        order.household.askToStart(OneOrder.id)
        order.happens("order.on_the_way", at: 1)
        order.household.startInApp(OneOrder.id, tokenAfter: .seconds(15))
        order.household.pass(to: minute(5))
        #expect(order.cards.map(\.origin) == [.app])
        #expect(!order.pushes.contains { $0.kind == .start })
    }
}
