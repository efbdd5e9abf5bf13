import Simulation
import Testing
import Tracking

/// Many orders of one person.
struct BudgetTests {
    @Test func `of twenty orders in a minute few start and the rest is explained`() {
        // P55
        var settings = SimulationSettings()
        settings.keepsPushes = true
        let policy = Policy()
        var household = Household(CustomerID("ana"), at: noon, policy: policy, settings: settings)
        var facts: [(OrderID, PartnerFact)] = []
        for number in 0..<20 {
            let id = OrderID("\(number)")
            let story = [
                event("order.on_the_way", at: Double(number) / 20),
                event("order.delivered", at: 25 + Double(number) / 20),
            ]
            household.expect(RecordedOrder(id: id, facts: story))
            facts += story.map { (id, $0) }
        }
        for (id, fact) in facts.sorted(by: { $0.1.key < $1.1.key }) { household.happens(fact, to: id) }
        household.rest()
        let starts = household.pushes.filter { $0.kind == .start }
        for start in starts {
            let recent = starts.count { $0.at > start.at - .seconds(600) && $0.at <= start.at }
            #expect(recent <= policy.startsPerTenMinutes)
        }
        let figures = household.figures
        #expect(figures.started == starts.count)
        #expect(figures.started >= policy.startsPerTenMinutes)
        #expect(figures.orders == 20)
        #expect(figures.notStarted.values.reduce(0, +) == 20 - figures.started)
        #expect(Set(figures.notStarted.keys).isSubset(of: [.startBudgetSpent, .refusedByDevice]))
    }

    @Test func `customers of the file have one phone each`() {
        let orders = (0..<6).map { number in
            RecordedOrder(
                id: OrderID("\(number)"),
                facts: [
                    event("order.on_the_way", at: Double(number) / 10) { $0.customer = CustomerID("\(number % 2)") },
                    event("order.delivered", at: 5),
                ]
            )
        }
        var policy = Policy()
        policy.startsPerTenMinutes = 1
        var settings = SimulationSettings()
        #expect(Simulation(RecordedStream(orders), settings: settings).run(policy).started == 6)
        settings.phones = .perCustomer
        #expect(Simulation(RecordedStream(orders), settings: settings).run(policy).started == 2)
    }
}
