import JSONText
import Simulation
import Testing
import Tracking

/// Policies beside each other.
struct SimulationTests {
    /// A delivery of an hour whose courier is silent for most of it.
    private func stream(orders: Int) -> RecordedStream {
        RecordedStream(
            (0..<orders).map { number in
                RecordedOrder(
                    id: OrderID("order-\(number)"),
                    facts: [
                        event("order.placed", at: 0), event("order.accepted", at: 2), event("order.on_the_way", at: 10),
                        event(number % 2 == 0 ? "order.delivered" : "order.cancelled", at: 70),
                    ]
                )
            }
        )
    }

    private func report(_ policy: Policy, orders: Int = 20) async -> SimulationReport {
        await Simulation(stream(orders: orders), settings: SimulationSettings())
            .compare(policy, with: Policy()) { _ in }
    }

    @Test func `a policy that starts no earlier and waits no less turns out the same`() async {
        var policy = Policy()
        policy.dismissAfterDelivered = .seconds(60)
        let report = await report(policy)
        #expect(report.differing == 0)
        #expect(report.isClean)
        #expect(report.figures.pushes == [.start: 20, .end: 20])
        #expect(report.figures.endings == ["delivered": 10, "cancelled": 10])
        // Starts ring, and so do ends of cancelled orders.
        #expect(report.figures.alerts == 30)
    }

    @Test func `an earlier loss of faith is another outcome`() async {
        var policy = Policy()
        policy.quietOnTheWay = .seconds(1800)
        let report = await report(policy)
        #expect(report.differing == 20)
        #expect(report.firstDiffering.count == 10)
        #expect(report.figures.pushes[.markStale] == 20)
        #expect(report.figures.shownStale == .seconds(20 * 1800))
        #expect(report.current.shownStale == .zero)
    }

    @Test func `an order that is never shown has a reason`() async {
        var policy = Policy()
        policy.startAt = .courierWaiting
        let report = await report(policy)
        #expect(report.figures.started == 0)
        #expect(report.figures.notStarted == [.finishedBeforeStart: 20])
        #expect(report.differing == 20)
        #expect(report.figures.totalPushes == 0)
        #expect(report.figures.urgentShare == 0)
    }

    @Test func `the report says the same to people and programs`() async throws {
        let report = await report(Policy(), orders: 2)
        let json = report.json
        #expect(json["orders"] == 2)
        #expect(json["events"] == 8)
        #expect(
            json["pushes"] == ["total": 4, "start": 2, "update": 0, "refresh": 0, "markStale": 0, "end": 2, "alert": 0]
        )
        #expect(json["pushesPerOrder"]?["p99"] == 2)
        #expect(json["staleMinutes"]?.doubleValue == 0)
        #expect(json["priority10Share"]?.doubleValue == 1)
        #expect(json["endings"] == ["cancelled": 1, "delivered": 1])
        #expect(json["differing"] == ["count": 0, "orders": []])
        #expect(json["current"]?["orders"] == 2)
        #expect(report.lines.contains("pushes                                       4           4"))
    }

    @Test func `an order without a customer has a guest, and a repeated run the same figures`() {
        let order = RecordedOrder(
            id: OrderID("1"),
            facts: [
                event("order.on_the_way", at: 0) { $0.customer = nil },
                event("order.delivered", at: 9) { $0.customer = nil },
            ]
        )
        let simulation = Simulation(RecordedStream([order]), settings: SimulationSettings())
        #expect(simulation.run(Policy()).started == 1)
        #expect(simulation.run(Policy()) == simulation.run(Policy()))
    }
}
