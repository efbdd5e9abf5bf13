import Crypto
import JSONText
import Postgres
import PostgresStore
import PushDelivery
import Runtime
import TestSupport
import Testing
import Tracking

@testable import Service

@Suite(.enabled(if: TestDatabase.isAvailable))
struct SenderTests {
    /// An order on the way and one phone of its customer.
    private func withOrder(
        _ gateway: ScriptedGateway,
        settings: Pipeline.Settings = .prompt,
        _ body: @Sendable (Node) async throws -> Void
    ) async throws {
        try await Installation.with { installation in
            try await Node.with(installation, gateway: gateway, settings: settings) { node in
                _ = await node.appender.append([
                    try node.directory.device("phone", of: "ann", startToken: "aa01", sequence: 1),
                    node.directory.event("o1", "order.on_the_way", at: 0, data: ["customer": "ann"]),
                ])
                try await body(node)
            }
        }
    }

    private func card(_ node: Node) async throws -> Activity? {
        try await node.snapshot("o1")?.stream.activities.first
    }

    private func types(_ node: Node) async throws -> [String] {
        try await node.orders.facts(app: Installation.app, OrderID("o1")).map(\.type)
            .filter { $0.hasPrefix("push.") }
    }

    @Test func `a start is claimed, sent and recorded, once`() async throws {
        let gateway = ScriptedGateway()
        try await withOrder(gateway) { node in
            try await node.eventually("starting") { try await card(node)?.state == .starting }
            try await node.settle(["o1"])
            #expect(gateway.pushes.map(\.token) == [.known("aa01")])
            #expect(try await types(node) == [FactType.startClaimed, FactType.pushAccepted])
            #expect(try await node.installation.count("SELECT count(*) FROM slot") == 0)
        }
    }

    @Test func `a refused start is repeated once, and never again`() async throws {
        let gateway = ScriptedGateway(.busy, .busy, .busy)
        try await withOrder(gateway) { node in
            try await node.eventually("giving up") { try await card(node)?.reason == .startRefused }
            try await node.settle(["o1"])
            #expect(gateway.verbs == [.start, .start])
            #expect(Set(gateway.pushes.map(\.claim)).count == 2)
            #expect(try await card(node)?.state == ActivityState.none)
        }
    }

    @Test func `a start that never left may be tried until it does`() async throws {
        let gateway = ScriptedGateway(.neverLeft, .neverLeft, .neverLeft, .neverLeft)
        try await withOrder(gateway) { node in
            try await node.eventually("starting") { try await card(node)?.state == .starting }
            #expect(gateway.pushes.count == 5)
        }
    }

    @Test func `a start whose answer was lost is not repeated`() async throws {
        let gateway = ScriptedGateway(.lost)
        try await withOrder(gateway) { node in
            try await node.eventually("maybeStarted") { try await card(node)?.state == .maybeStarted }
            _ = await node.appender.append([node.directory.event("o1", "courier.waiting", at: 9)])
            try await node.settle(["o1"])
            #expect(gateway.verbs == [.start])
            #expect(try await types(node) == [FactType.startClaimed, FactType.pushLost])

            // The app says that nothing runs.
            _ = await node.appender.append([node.directory.running("phone", [], sequence: 2)])
            try await node.eventually("starting") { try await card(node)?.state == .starting }
            #expect(gateway.verbs == [.start, .start])
        }
    }

    /// Claims what is due in the order's lane, as a process that dies before it sends.
    private func claim(_ installation: Installation, _ directory: Directory) async throws -> [Verb] {
        let (lane, now) = (Installation.lane(ofOrder: "o1"), WallClock.microseconds)
        let lease = Leases.take(lanes: [lane], owner: .random(), now: now, span: 300_000)
        let term = try #require(try await installation.pool.run(lease).first?.term)
        var batch = ClaimBatch(lane: lane, term: term)
        for slot in try await installation.pool.run(Claims.due(lane: lane, now: now, limit: 10)) {
            batch.add(SlotHint(slot, lane: lane))
        }
        return try await ClaimTransaction(
            pool: installation.pool,
            directory: directory,
            vault: .test,
            lanes: Installation.lanes,
            now: now,
            until: now + 1_500_000
        )
        .run([batch]).map(\.intention.verb)
    }

    /// The process that claimed the start died; its phone has the card, and wants an update meanwhile.
    @Test func `what was lost is what was claimed, not what is wanted since`() async throws {
        let closed = ScriptedGateway()
        closed.open(false)
        try await Installation.with { installation in
            let facts = try await installation.directory()
            try await Node.with(installation, gateway: closed) { node in
                _ = await node.appender.append([
                    try facts.device("phone", of: "ann", startToken: "aa01", sequence: 1),
                    facts.event("o1", "order.on_the_way", at: 0, data: ["customer": "ann"]),
                ])
                try await node.eventually("a slot") {
                    try await installation.count("SELECT count(*) FROM slot") == 1
                }
            }
            #expect(try await claim(installation, facts) == [.start])
            try await Node.with(installation, gateway: ScriptedGateway()) { node in
                _ = await node.appender.append([
                    try facts.card("o1", "phone", activity: "a1", token: "bb01", incarnation: 1, sequence: 2)
                ])
                try await node.settle(["o1"])
                let card = try await card(node)
                #expect(card?.state == .live)
                #expect(card?.startInFlight == false)
            }
        }
    }

    @Test func `a dead start token is forgotten until the app brings another`() async throws {
        let gateway = ScriptedGateway(.dead(since: noon + minute))
        try await withOrder(gateway) { node in
            try await node.eventually("no token") { try await card(node)?.reason == .noStartToken }
            try await node.eventually("forgotten") {
                try await node.devices.device(app: Installation.app, DeviceID("phone"))?.token == nil
            }
            _ = await node.appender.append([
                try node.directory.device("phone", of: "ann", startToken: "aa02", sequence: 2)
            ])
            try await node.eventually("starting") { try await card(node)?.state == .starting }
            #expect(gateway.pushes.map(\.token) == [.known("aa01"), .known("aa02")])
        }
    }

    @Test func `content that APNs refuses for good is not offered again`() async throws {
        let gateway = ScriptedGateway(.bad)
        try await withOrder(gateway) { node in
            try await node.eventually("given up") { try await card(node)?.reason == .refusedForGood }
            try await node.settle(["o1"])
            #expect(gateway.pushes.count == 1)
        }
    }

    @Test func `nothing is claimed while the gateway is closed`() async throws {
        let gateway = ScriptedGateway()
        gateway.open(false)
        try await withOrder(gateway) { node in
            try await node.eventually("a slot") { try await node.installation.count("SELECT count(*) FROM slot") == 1 }
            await node.pipeline.sender.sweepOnce()
            #expect(try await node.installation.count("SELECT count(*) FROM slot WHERE claim IS NOT NULL") == 0)
            gateway.open(true)
            try await node.eventually("starting") { try await card(node)?.state == .starting }
            #expect(gateway.pushes.count == 1)
        }
    }

    /// A process that slept between its claim and the first byte.
    @Test func `a claim that is too old goes back unsent`() async throws {
        let gateway = ScriptedGateway()
        var settings = Pipeline.Settings.prompt
        settings.sender.sendWithin = .zero
        try await withOrder(gateway, settings: settings) { node in
            try await node.eventually("put off") { try await card(node)?.startsUnsent ?? 0 > 1 }
            #expect(gateway.pushes.isEmpty)
        }
    }

    @Test func `a token sealed with another key is offered again, not forgotten`() async throws {
        let gateway = ScriptedGateway()
        try await Installation.with { installation in
            try await Node.with(installation, gateway: gateway) { node in
                let other = Base64.encode(
                    try Vault(key: Array(repeating: 8, count: 32))
                        .seal("aa01", purpose: TokenPurpose.start(DeviceID("phone")))
                )
                let address = StreamAddress(app: Installation.app, kind: .device, stream: "phone")
                let body = #"{"observedAt":"2023-11-14T22:13:20Z","customer":"ann","token":"\#(other)"}"#
                let source = node.directory.own(.device, app: Installation.app)?.number ?? 0
                _ = await node.appender.append([
                    NewFact(
                        address,
                        source: source,
                        id: "1",
                        type: FactType.deviceRegistered,
                        body: Array(body.utf8)
                    ),
                    try node.directory.device("tablet", of: "ann", startToken: "aa02", sequence: 1),
                    node.directory.event("o1", "order.on_the_way", at: 0, data: ["customer": "ann"]),
                ])
                // The scripted gateway takes what it gets; what matters is that both were handed over.
                try await node.eventually("both") { gateway.pushes.count == 2 }
                #expect(Set(gateway.pushes.map(\.token)) == [.unreadable, .known("aa02")])
            }
        }
    }

    // P81
    @Test func `after an outage a phone hears of the newest state alone`() async throws {
        let gateway = ScriptedGateway()
        try await Installation.with { installation in
            // Recorded a minute ago by a process that is gone.
            let clock = DatabaseClock(now: WallClock.microseconds - 60_000_000)
            try await installation.appending(clock: clock) { appender, facts in
                _ = await appender.append([
                    try facts.device("phone", of: "ann", startToken: "aa01", sequence: 1),
                    facts.event("o1", "order.placed", at: 0, data: ["customer": "ann"]),
                    facts.event("o1", "order.on_the_way", at: 5), facts.event("o1", "courier.waiting", at: 9),
                ])
            }
            try await Node.with(installation, gateway: gateway) { node in
                try await node.eventually("starting") { try await card(node)?.state == .starting }
                try await node.settle(["o1"])
                #expect(gateway.pushes.map(\.intention.content.phase) == [.courierWaiting])
            }
        }
    }
}
