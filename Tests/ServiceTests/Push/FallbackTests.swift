import JSONText
import PostgresStore
import PushDelivery
import Runtime
import TestSupport
import Testing
import Tracking

@testable import Service

/// The alert in the place of a card, from the event to the answer (engine rule 14).
@Suite(.enabled(if: TestDatabase.isAvailable))
struct FallbackTests {
    private static func policy(_ change: (inout Policy) -> Void = { _ in }) -> Policy {
        var policy = Policy.prompt
        policy.fallbackAlert = true
        policy.fallbackWait = .milliseconds(200)
        // The events of these tests are of long ago.
        policy.alertMaxAge = .seconds(1_000_000_000)
        change(&policy)
        return policy
    }

    /// An order with the courier at the door, and a phone whose card never has a token.
    private func withOrder(
        _ gateway: ScriptedGateway,
        policy: Policy = policy(),
        _ body: @Sendable (Node) async throws -> Void
    ) async throws {
        try await Installation.with(policy: policy) { installation in
            try await Node.with(installation, gateway: gateway) { node in
                _ = await node.appender.append([
                    try node.directory.device(
                        "phone",
                        of: "ann",
                        startToken: "aa01",
                        deviceToken: "dd01",
                        sequence: 1
                    ),
                    node.directory.event("o1", "order.on_the_way", at: 0, data: ["customer": "ann"]),
                ])
                try await node.eventually("starting") { try await card(node)?.state == .starting }
                _ = await node.appender.append([node.directory.event("o1", "courier.waiting", at: 9)])
                try await body(node)
            }
        }
    }

    private func card(_ node: Node) async throws -> Activity? {
        try await node.snapshot("o1")?.stream.activities.first
    }

    private func fallback(_ node: Node) async throws -> Fallback? {
        try await node.snapshot("o1")?.stream.fallbacks[DeviceID("phone")]
    }

    private func slots(_ node: Node) async throws -> Int64 {
        try await node.installation.count("SELECT count(*) FROM slot WHERE target = 'f'")
    }

    private func device(_ node: Node) async throws -> DeviceReader.Snapshot? {
        try await node.devices.device(app: Installation.app, DeviceID("phone"))
    }

    @Test func `a phone without a card's token gets one alert`() async throws {
        let gateway = ScriptedGateway()
        try await withOrder(gateway) { node in
            try await node.eventually("told") { try await fallback(node)?.told == .courierWaiting }
            _ = await node.appender.append([node.directory.event("o1", "eta.changed", at: 10)])
            try await node.settle(["o1"])
            #expect(gateway.verbs == [.start, .alert])
            #expect(gateway.pushes.last?.token == .known("dd01"))
            #expect(gateway.pushes.last?.intention.content.phase == .courierWaiting)
            #expect(try await slots(node) == 0)
            #expect(try await card(node)?.shown?.phase == .onTheWay)
            let facts = try await node.orders.facts(app: Installation.app, OrderID("o1"))
            let alerts = facts.filter { String(decoding: $0.body, as: UTF8.self).contains(#""event":"alert""#) }
            #expect(alerts.map(\.type) == [FactType.pushAccepted])
        }
    }

    @Test func `a card that shows it in time leaves nothing to tell`() async throws {
        let gateway = ScriptedGateway()
        let patient = Self.policy {
            $0.fallbackWait = .seconds(20)
            $0.tokenWait = .seconds(120)
        }
        try await withOrder(gateway, policy: patient) { node in
            try await node.eventually("a slot") { try await slots(node) == 1 }
            _ = await node.appender.append([
                try node.directory.card("o1", "phone", activity: "a1", token: "bb01", incarnation: 1, sequence: 2)
            ])
            try await node.eventually("shown") { try await card(node)?.shown?.phase == .courierWaiting }
            try await node.settle(["o1"])
            #expect(gateway.verbs == [.start, .update])
            #expect(try await slots(node) == 0)
        }
    }

    @Test func `a dead ordinary token is forgotten, the start token is not`() async throws {
        let gateway = ScriptedGateway(.accepted, .dead(since: noon + minute))
        try await withOrder(gateway) { node in
            try await node.eventually("forgotten") { try await device(node)?.stream.hasDeviceToken == false }
            #expect(try await device(node)?.deviceToken == nil)
            #expect(try await device(node)?.token != nil)
            try await node.settle(["o1"])
            #expect(try await slots(node) == 0)
            _ = await node.appender.append([
                try node.directory.device("phone", of: "ann", startToken: nil, deviceToken: "dd02", sequence: 2)
            ])
            try await node.eventually("told") { try await fallback(node)?.told == .courierWaiting }
            #expect(gateway.pushes.map(\.token) == [.known("aa01"), .known("dd01"), .known("dd02")])
        }
    }

    @Test func `an answer that is lost is not waited for twice`() async throws {
        let gateway = ScriptedGateway(.accepted, .lost)
        try await withOrder(gateway) { node in
            try await node.eventually("given up") { try await fallback(node)?.givenUp == .courierWaiting }
            try await node.settle(["o1"])
            #expect(gateway.verbs == [.start, .alert])
            #expect(try await slots(node) == 0)
        }
    }

    @Test func `an alert that waited too long is let go, and the log says so`() async throws {
        let gateway = ScriptedGateway()
        let now = WallClock.microseconds
        let policy = Self.policy {
            // Wanted a minute ago, and too old for half of that.
            $0.alertMaxAge = .microseconds(now - 30_000_000 - (noon + 9 * minute))
            $0.fallbackWait = .zero
        }
        try await Installation.with(policy: policy) { installation in
            try await Node.with(installation, gateway: gateway) { node in
                _ = await node.appender.append([
                    try node.directory.device(
                        "phone",
                        of: "ann",
                        startToken: nil,
                        deviceToken: "dd01",
                        sequence: 1
                    ),
                    node.directory.event("o1", "order.accepted", at: 0, data: ["customer": "ann"]),
                ])
                try await node.eventually("linked") { try await node.snapshot("o1")?.stream.devices.count == 1 }
            }
            try await installation.appending(clock: DatabaseClock(now: now - 60_000_000)) { appender, facts in
                _ = await appender.append([facts.event("o1", "courier.waiting", at: 9)])
            }
            try await Node.with(installation, gateway: gateway) { node in
                try await node.eventually("given up") { try await fallback(node)?.givenUp == .courierWaiting }
                #expect(gateway.pushes.isEmpty)
                let facts = try await node.orders.facts(app: Installation.app, OrderID("o1"))
                let refusals = facts.filter { $0.type == FactType.pushRefused }
                #expect(refusals.map { String(decoding: $0.body, as: UTF8.self).contains("alertTooOld") } == [true])
                try await node.settle(["o1"])
                #expect(try await slots(node) == 0)
            }
        }
    }
}
