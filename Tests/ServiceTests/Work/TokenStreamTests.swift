import Postgres
import PostgresStore
import Service
import TestSupport
import Testing
import Tracking

/// A token value's way through log, relays and rows.
@Suite(.enabled(if: TestDatabase.isAvailable))
struct TokenStreamTests {
    private let token = TokenKey(app: Installation.app, hash: [1, 2], kind: .start, environment: .sandbox)

    private func row(_ installation: Installation) async throws -> TokenOwnerRow? {
        let lane = StreamAddress(app: token.app, kind: .token, stream: token.id.value).lane(of: Installation.lanes)
        return try await installation.pool.run(TokenOwners.load(lane: lane, [token])).first
    }

    private func device(_ node: Node, _ id: String) async throws -> DeviceReader.Snapshot? {
        try await node.devices.device(app: Installation.app, DeviceID(id))
    }

    private func register(_ node: Node, _ id: String, observedAt: Int64 = noon, sequence: Int64 = 1) async throws {
        let fact = try node.directory.device(
            id,
            of: "ann",
            startToken: "aa01",
            tokenID: token.id,
            observedAt: observedAt,
            sequence: sequence
        )
        _ = await node.appender.append([fact])
    }

    @Test func `a value that another device registers supersedes the first`() async throws {
        try await Installation.with { installation in
            try await Node.with(installation, gateway: ScriptedGateway()) { node in
                try await register(node, "old")
                try await node.eventually("owned") { try await row(installation)?.device == DeviceID("old") }
                try await register(node, "new")
                try await node.eventually("superseded") {
                    try await device(node, "old")?.stream.successor == DeviceID("new")
                }
                let (old, new) = (try await device(node, "old"), try await device(node, "new"))
                #expect(old?.stream.hasStartToken == false)
                #expect(old?.token == nil)
                #expect(new?.stream.hasStartToken == true)
                #expect(new?.token != nil)
                #expect(try await row(installation)?.device == DeviceID("new"))
            }
        }
    }

    // P37
    @Test func `a dead value is remembered, and lives again for who observed it later`() async throws {
        try await Installation.with { installation in
            try await Node.with(installation, gateway: ScriptedGateway()) { node in
                let reader = TokenReader(pool: installation.pool, vault: .test, lanes: Installation.lanes)
                try await register(node, "phone")
                try await node.eventually("owned") { try await row(installation) != nil }
                _ = await node.appender.append([died(node, at: noon + minute)])
                try await node.eventually("dead") { try await row(installation)?.deadAt == noon + minute }
                for (observedAt, isDead) in [(noon, true), (noon + minute, true), (noon + minute + 1, false)] {
                    let moment = Instant(microseconds: observedAt)
                    #expect(
                        try await reader.isDead(app: Installation.app, token.id, observedAt: moment) == isDead
                    )
                }
                // A registration that was under way when the value died is taken back.
                try await register(node, "phone", sequence: 2)
                try await node.eventually("taken back") {
                    let known = try await device(node, "phone")
                    return known?.isCurrent == true && known?.stream.hasStartToken == false && known?.token == nil
                }
                try await register(node, "phone", observedAt: noon + 2 * minute, sequence: 3)
                try await node.eventually("alive") {
                    guard let row = try await row(installation) else { return false }
                    return row.deadAt == nil && row.device == DeviceID("phone")
                }
                #expect(try await device(node, "phone")?.stream.hasStartToken == true)
            }
        }
    }

    /// A start met a dead token; the device's stream hears of it.
    private func died(_ node: Node, at moment: Int64) -> NewFact {
        let relay = RelayCodec.store(
            .toDevice(
                DeviceID("phone"),
                .startAnswered(
                    OrderID("o1"),
                    incarnation: 1,
                    result: .tokenDead,
                    deadSince: Instant(microseconds: moment)
                )
            )
        )
        return NewFact(
            StreamAddress(app: Installation.app, kind: .device, stream: "phone"),
            source: node.directory.own(.relay, app: Installation.app)?.number ?? 0,
            id: "died",
            type: relay.type,
            body: relay.body
        )
    }
}
