import JSONText
import Postgres
import PostgresStore
import Runtime
import Service
import TestSupport
import Testing
import Tracking

/// What time alone does, through the log and a real database.
@Suite struct TimerPumpTests {
    /// Timers of a second instead of an hour.
    private static var impatient: Policy {
        var policy = Policy.prompt
        policy.quietOnTheWay = .seconds(1)
        policy.deadlineAfter = .seconds(5)
        return policy
    }

    @Test func `a card without news is marked stale and ends at its deadline`() async throws {
        let order = Installation.orders(of: 1, 1)[0]
        try await Installation.with(policy: Self.impatient) { installation in
            let phones = PhoneGateway(seed: 1, faultsInHundred: 0)
            try await Node.with(installation, gateway: phones) { node in
                try await Self.start(order, node, phones)
                try await node.eventually("stale") { try await Self.card(order, node)?.shown?.isStale == true }
                try await node.eventually("ended") { try await Self.card(order, node)?.state == .ended(.deadline) }
                #expect(phones.violations == [])
                // All that is left of its timers are facts: a row would ring again.
                let lane = StreamAddress(app: Installation.app, kind: .order, stream: order).lane(
                    of: Installation.lanes
                )
                try await node.eventually("no timer is left") {
                    try await installation.pool.run(Timers.due(lane: lane, now: .max / 2, limit: 10)).isEmpty
                }
                let rung = try await installation.log(of: lane).filter { $0.type == FactType.timerRang }
                #expect(Set(rung.map(\.id)).count == rung.count)
                #expect(node.troubles.all.isEmpty)
            }
        }
    }

    @Test func `timers that came due while nobody was there ring for the next owner`() async throws {
        let order = Installation.orders(of: 1, 1)[0]
        try await Installation.with(policy: Self.impatient) { installation in
            let phones = PhoneGateway(seed: 1, faultsInHundred: 0)
            try await Node.with(installation, gateway: phones) { node in try await Self.start(order, node, phones) }
            try await Task.sleep(for: .seconds(6))
            try await Node.with(installation, gateway: phones) { node in
                try await node.eventually("ended") { try await Self.card(order, node)?.state == .ended(.deadline) }
                #expect(phones.violations == [])
            }
        }
    }

    // The order's own facts cannot be read any more, yet no card stays on a phone for ever (engine rules, rule 15).
    @Test func `the card of an order that is parked tells so and ends`() async throws {
        let order = Installation.orders(of: 1, 1)[0]
        var policy = Self.impatient
        policy.quietOnTheWay = .seconds(3600)
        try await Installation.with(policy: policy) { installation in
            let phones = PhoneGateway(seed: 1, faultsInHundred: 0)
            try await Node.with(installation, gateway: phones) { node in
                try await Self.start(order, node, phones)
                _ = await node.appender.append([
                    node.directory.fact(order, FactType.startGranted, .relay, id: "1", body: #"{"device":"d"}"#),
                    node.directory.event(order, "order.delivered", at: 9),
                ])
                try await node.eventually("stale") { try await Self.card(order, node)?.shown?.isStale == true }
                try await node.eventually("ended") { try await Self.card(order, node)?.state == .ended(.deadline) }
                #expect(try await node.snapshot(order)?.stream.order.phase == .onTheWay)
                #expect(phones.violations == [])
            }
        }
    }

    // MARK: - Given

    /// On its way, with a card that has its token.
    private static func start(_ order: String, _ node: Node, _ phones: PhoneGateway) async throws {
        _ = await node.appender.append([
            try node.directory.device("d", of: "ann", startToken: "ab", sequence: 1),
            node.directory.event(order, "order.on_the_way", at: 0, data: ["customer": "ann"]),
        ])
        try await node.eventually("started") { !phones.cards.isEmpty }
        let shown = phones.cards[0]
        let card = phones.register(shown.activity)
        _ = await node.appender.append([
            try node.directory.card(
                order,
                "d",
                activity: shown.activity,
                token: card?.token ?? shown.token,
                incarnation: shown.incarnation,
                sequence: 2
            )
        ])
        try await node.eventually("live") { try await Self.card(order, node)?.tokenGeneration == 1 }
    }

    private static func card(_ order: String, _ node: Node) async throws -> Activity? {
        try await node.snapshot(order)?.stream.activities.first
    }
}
