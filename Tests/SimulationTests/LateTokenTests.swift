import Simulation
import Testing
import Tracking

/// An app that hands over its card's token after the order was delivered.
struct LateTokenTests {
    @Test(arguments: [Duration.seconds(1), .seconds(600), .seconds(3 * 3600)])
    func `a token that comes after the delivery gets one end, with the delivered state`(late: Duration) {
        var settings = SimulationSettings()
        settings.tokenDelay = .seconds(20 * 60) + late
        var order = OneOrder.running(settings: settings)
        order.happens("courier.waiting", at: 15)
        order.happens("order.delivered", at: 20)
        #expect(order.pushes.words == ["start on_the_way"])
        order.household.pass(to: minute(60 * 24))
        #expect(order.pushes.words == ["start on_the_way", "end delivered"])
        #expect(order.pushes.last?.at == minute(20) + late)
        #expect(order.cards.first?.content == Content(phase: .delivered))
        #expect(order.cards.first?.isRunning == false)
        order.household.rest()
        #expect(order.household.figures.endings == ["delivered": 1])
        #expect(order.household.figures.dishonest == .zero)
    }
}
