import Simulation
import Testing
import Tracking

/// Alerts in the place of cards, as a trial of a policy counts them.
struct FallbackTests {
    private static let policy = {
        var policy = Policy()
        policy.fallbackAlert = true
        return policy
    }()

    @Test(arguments: [(true, 1), (false, 0)])
    func `an order that is cancelled before it has a card rings by alert where the policy says so`(
        isOn: Bool,
        alerts: Int
    ) {
        var order = OneOrder(policy: isOn ? Self.policy : Policy())
        order.happens("order.accepted", at: 0)
        order.happens("order.cancelled", at: 5)
        order.household.rest()
        #expect(order.household.figures.pushes[.alert] ?? 0 == alerts)
        #expect(order.household.figures.alerts == alerts)
        #expect(order.household.figures.started == 0)
        #expect(order.pushes.map(\.at) == (isOn ? [minute(5) + .seconds(20)] : []))
    }

    @Test func `a card that can be reached leaves nothing to alerts`() {
        var order = OneOrder.running(policy: Self.policy)
        order.happens("courier.waiting", at: 10)
        order.happens("order.cancelled", at: 20)
        order.household.rest()
        #expect(order.pushes.words == ["start on_the_way", "update courier_waiting", "end cancelled"])
    }

    @Test func `a card whose token is late is helped out once`() {
        var settings = SimulationSettings()
        settings.tokenDelay = .seconds(3600)
        var order = OneOrder.running(policy: Self.policy, settings: settings)
        order.happens("courier.waiting", at: 15)
        order.happens("eta.changed", at: 16)
        order.household.pass(to: minute(30))
        #expect(order.pushes.words == ["start on_the_way", "alert courier_waiting"])
        #expect(order.pushes.last?.at == minute(15))
    }

    @Test func `an alert that an outage held for too long is let go`() {
        var settings = SimulationSettings()
        settings.outage = minute(4)..<minute(9)
        var order = OneOrder(policy: Self.policy, settings: settings)
        order.happens("order.accepted", at: 0)
        order.happens("order.cancelled", at: 5)
        order.household.rest()
        #expect(order.pushes.isEmpty)
    }
}
