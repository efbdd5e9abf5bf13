import JSONText
import Postgres
import PostgresStore
import Service
import TestSupport
import Testing
import Tracking

@Suite(.enabled(if: TestDatabase.isAvailable))
struct RelayPumpTests {
    /// A process that dies between the append and the deletion of the row tells everything twice.
    @Test func `a message told twice is one fact`() async throws {
        try await Installation.with { installation in
            try await play(installation)
            let before = try await installation.log()
            let told = before.filter { ["link.opened", "device.joined", "start.requested"].contains($0.type) }
            #expect(told.count == 3)
            for fact in told {
                // Its id says in which lane's rows it lay.
                let place = fact.id.split(separator: ".").compactMap { Int64($0) }
                let row = RelayRow(
                    pos: place[1],
                    number: Int32(place[2]),
                    toLane: fact.lane,
                    app: fact.app,
                    kind: fact.kind,
                    stream: fact.stream,
                    type: fact.type,
                    body: fact.body ?? []
                )
                for write in Relays.insert(lane: Int32(place[0]), [row]) { try await installation.pool.run(write) }
            }
            let gateway = ScriptedGateway()
            try await Node.with(installation, gateway: gateway) { node in
                try await node.eventually("told again") {
                    try await installation.count("SELECT count(*) FROM relay") == 0
                }
                try await node.settle(["o1"])
            }
            // Timers may ring meanwhile where the machine is slow.
            let after = try await installation.log().filter { $0.type != FactType.timerRang }
            #expect(after.map(\.id) == before.filter { $0.type != FactType.timerRang }.map(\.id))
            #expect(gateway.pushes.isEmpty)
        }
    }

    /// A process that dies before it has told anything.
    @Test func `what a dead process owed is told by the next one`() async throws {
        try await Installation.with { installation in
            try await installation.appending { appender, facts in
                _ = await appender.append([
                    try facts.device("phone", of: "ann", startToken: "aa01", sequence: 1),
                    facts.event("o1", "order.on_the_way", at: 0, data: ["customer": "ann"]),
                ])
            }
            let gateway = ScriptedGateway()
            try await Node.with(installation, gateway: gateway) { node in
                try await node.eventually("a start") { gateway.pushes.count == 1 }
                try await node.settle(["o1"])
                try await node.eventually("rows deleted") {
                    try await installation.count("SELECT count(*) FROM relay") == 0
                }
            }
        }
    }

    private func play(_ installation: Installation) async throws {
        try await Node.with(installation, gateway: ScriptedGateway()) { node in
            _ = await node.appender.append([
                try node.directory.device("phone", of: "ann", startToken: "aa01", sequence: 1),
                node.directory.event("o1", "order.on_the_way", at: 0, data: ["customer": "ann"]),
            ])
            try await node.eventually("started") {
                try await node.snapshot("o1")?.stream.activities.first?.state == .starting
            }
            try await node.settle(["o1"])
            try await node.eventually("rows deleted") {
                try await installation.count("SELECT count(*) FROM relay") == 0
            }
        }
    }
}
