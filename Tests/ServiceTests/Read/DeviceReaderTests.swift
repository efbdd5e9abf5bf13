import Postgres
import PostgresStore
import Service
import TestSupport
import Testing
import Tracking

@Suite(.enabled(if: TestDatabase.isAvailable))
struct DeviceReaderTests {
    private let id = DeviceID("phone")

    @Test func `a device nobody told of is unknown`() async throws {
        try await Installation.with { installation in
            let reader = DeviceReader(pool: installation.pool, lanes: Installation.lanes)
            let known = try await reader.device(app: Installation.app, id)
            #expect(known == nil)
        }
    }

    /// What waits to be folded must not be taken for unchanged.
    @Test func `a device whose newest fact is not folded is not current`() async throws {
        try await Installation.with { installation in
            let reader = DeviceReader(pool: installation.pool, lanes: Installation.lanes)
            try await installation.appending { appender, facts in
                _ = await appender.append([try facts.device("phone", of: "ann", startToken: "aa01", sequence: 1)])
            }
            let waiting = try #require(try await reader.device(app: Installation.app, id))
            #expect(!waiting.isCurrent)
            #expect(waiting.stream.customer == nil)

            try await Node.with(installation, gateway: ScriptedGateway()) { node in
                try await node.eventually("linked") {
                    try await reader.device(app: Installation.app, id)?.isLinked ?? false
                }
            }
            let folded = try #require(try await reader.device(app: Installation.app, id))
            #expect(folded.isCurrent)
            #expect(folded.stream.customer == CustomerID("ann"))

            try await installation.appending { appender, facts in
                _ = await appender.append([try facts.device("phone", of: nil, startToken: "aa02", sequence: 2)])
            }
            #expect(try await reader.device(app: Installation.app, id)?.isCurrent == false)
        }
    }
}
