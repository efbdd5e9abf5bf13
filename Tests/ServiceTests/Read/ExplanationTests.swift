import JSONText
import PostgresStore
import Service
import TestSupport
import Testing
import Tracking

/// What was decided about an order, told afterwards.
@Suite(.enabled(if: TestDatabase.isAvailable))
struct ExplanationTests {
    private static let order = OrderID("o1")

    /// An order that was placed, came on its way, and was delivered, with one phone, whose card registered.
    private func delivered(_ body: @Sendable (Node, _ positions: [Int64]) async throws -> Void) async throws {
        try await Installation.with { installation in
            let phones = PhoneGateway(seed: 1, faultsInHundred: 0)
            try await Node.with(installation, gateway: phones) { node in
                let facts = node.directory
                _ = await node.appender.append([
                    try facts.device("phone", of: "ann", startToken: "aa01", sequence: 1),
                    facts.event("o1", "order.placed", at: 0, data: ["customer": "ann"]),
                ])
                try await node.settle(["o1"])
                var outcomes = await node.appender.append([facts.event("o1", "order.on_the_way", at: 5)])
                try await node.eventually("a card") { phones.cards.count == 1 }
                let card = try #require(phones.register(phones.cards[0].activity))
                outcomes += await node.appender.append([
                    try facts.card(
                        "o1",
                        "phone",
                        activity: card.activity,
                        token: card.token,
                        incarnation: 1,
                        sequence: 1
                    )
                ])
                try await node.settle(["o1"])
                outcomes += await node.appender.append([facts.event("o1", "order.delivered", at: 12)])
                try await node.settle(["o1"])
                try await body(node, outcomes.compactMap { $0.position?.pos })
            }
        }
    }

    private func explain(_ node: Node, until time: Int64? = nil, redecide: Bool = false) async throws -> Explanation? {
        try await node.orders.explanation(app: Installation.app, Self.order, until: time, redecide: redecide)
    }

    @Test func `folded anew, the order is what it was, and so is each decision`() async throws {
        try await delivered { node, _ in
            let now = try #require(try await explain(node))
            let again = try #require(try await explain(node, until: .max, redecide: true))
            #expect(again.stream == now.stream)
            #expect(now.steps.allSatisfy { $0.today == nil })
            #expect(now.steps.contains { $0.recorded != nil })
            for step in again.steps {
                #expect(DecisionCodec.items(try #require(step.today)) == step.recorded?.items ?? Array("[]".utf8))
            }
        }
    }

    @Test func `an earlier moment knows nothing of what came later`() async throws {
        try await delivered { node, positions in
            let all = try #require(try await explain(node)).steps
            let start = try #require(all.first { $0.fact.pos == positions[0] }).fact
            let then = try #require(try await explain(node, until: start.recordedAt))
            #expect(then.stream.order.phase == .onTheWay)
            #expect(then.steps.allSatisfy { $0.fact.recordedAt <= start.recordedAt })
            #expect(then.steps.contains { $0.recorded != nil })
            #expect(try await explain(node, until: noon) == nil)
        }
    }

    @Test func `today's policy is asked beside what was recorded, which stays`() async throws {
        try await delivered { node, positions in
            var policy = node.installation.policy
            var app = try #require(node.directory.app(Installation.app))
            app.editions = [PolicyEdition(activeFrom: 0, policy: policy)]
            policy.version = 2
            policy.startAt = .courierWaiting
            app.policy = policy
            node.directory.add(app)
            let explanation = try #require(try await explain(node, redecide: true))
            let step = try #require(explanation.steps.first { $0.fact.pos == positions[0] })
            #expect(step.recorded?.policy == 1)
            let recorded = try DecisionCodec.json(try #require(step.recorded).items)
            #expect(recorded[0]?["reason"] == "startRequested")
            #expect(step.today == [])
            #expect(explanation.policy.version == 2)
            #expect(explanation.stream.activities.map(\.state) == [.ended(.delivered)])
        }
    }

    @Test func `an order nobody heard of is not explained`() async throws {
        try await Installation.with { installation in
            try await Node.with(installation, gateway: PhoneGateway(seed: 1, faultsInHundred: 0)) { node in
                let explanation = try await explain(node)
                #expect(explanation == nil)
            }
        }
    }

    @Test func `a new policy pushes nothing and is used from the next fact on`() async throws {
        try await Installation.with { installation in
            let phones = PhoneGateway(seed: 1, faultsInHundred: 0)
            try await Node.with(installation, gateway: phones) { node in
                let facts = node.directory
                _ = await node.appender.append([
                    try facts.device("phone", of: "ann", startToken: "aa01", sequence: 1),
                    facts.event("o1", "order.accepted", at: 0, data: ["customer": "ann"]),
                ])
                // The phone is known to the order only a while after both were heard of.
                try await node.eventually("the phone") { try await node.snapshot("o1")?.stream.devices.count == 1 }
                try await node.settle(["o1"])
                let before = try #require(try await node.snapshot("o1"))

                var app = try #require(node.directory.app(Installation.app))
                app.policy.version = 2
                app.policy.startAt = .accepted
                node.directory.add(app)
                try await node.settle(["o1"])
                #expect(try await node.snapshot("o1")?.version == before.version)
                #expect(phones.sent == 0)

                _ = await node.appender.append([facts.event("o1", "order.preparing", at: 1)])
                try await node.eventually("a card") { phones.cards.count == 1 }
                let steps = try #require(try await explain(node)).steps
                #expect(steps.first { $0.fact.type == "order.preparing" }?.recorded?.policy == 2)
            }
        }
    }
}
