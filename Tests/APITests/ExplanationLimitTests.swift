import Testing
import Tracking

@testable import API
@testable import PostgresStore
@testable import Service

/// An explanation of a large order lists its newest decisions, fact by fact.
struct ExplanationLimitTests {
    private let order = OrderID("o")

    /// Each fact a second after the one before, with as many decisions.
    private func view(facts: Int, decisions: Int) -> ExplanationView {
        let items = (1...decisions).map { number in
            Decision(device: DeviceID("d"), incarnation: number, kind: .nothing, reason: .nothingVisible)
        }
        let steps = (1...facts).map { number in
            let fact = NewFact(
                StreamAddress(app: 1, kind: .order, stream: order.value),
                source: 1,
                id: "\(number)",
                type: "eta.changed",
                body: Array("{}".utf8)
            )
            let position = LogPosition(lane: 0, pos: Int64(number), version: Int32(number))
            return Explanation.Step(
                fact: LoggedFact(fact, at: position, recordedAt: Int64(number) * 1_000_000),
                recorded: EffectRecord(policy: 1, items: DecisionCodec.items(items)),
                today: nil
            )
        }
        let explanation = Explanation(
            stream: OrderStream(id: order),
            steps: steps,
            at: Instant(seconds: 60),
            policy: Policy()
        )
        return ExplanationView(explanation)
    }

    @Test func `what fits is listed whole`() {
        let view = view(facts: 2, decisions: 1000)
        #expect(view.decisionsSince == nil)
        #expect(view.phones.first?.decisions.count == 2000)
    }

    @Test func `what is too much leaves out whole facts, the oldest first`() {
        let view = view(facts: 4, decisions: 900)
        #expect(view.decisionsSince == 3_000_000)
        #expect(view.phones.first?.decisions.count == 1800)
        #expect(view.phones.first?.decisions.first?.at == 3_000_000)
        #expect(view.phones.first?.decisions.last?.at == 4_000_000)
    }

    @Test func `the newest fact is listed however much it decided`() {
        let view = view(facts: 2, decisions: 2500)
        #expect(view.decisionsSince == 2_000_000)
        #expect(view.phones.first?.decisions.count == 2500)
    }
}
