import PostgresStore
import Runtime
import Service
import TestSupport
import Testing
import Tracking

@Suite struct OrderReaderTests {
    @Test func `a process that has just begun knows who sent the facts it reads`() async throws {
        let order = Installation.orders(of: 1, 1)[0]
        try await Installation.with { installation in
            try await Node.with(installation, gateway: ScriptedGateway()) { node in
                _ = await node.appender.append([node.directory.event(order, "order.placed", at: 0)])
                try await node.settle([order])
            }
            // As after a restart: the apps of the configuration, and none of the sources that were heard of since.
            let directory = Directory()
            let reader = OrderReader(
                pool: installation.pool,
                directory: directory,
                clock: DatabaseClock(),
                lanes: Installation.lanes
            )
            let facts = try await reader.facts(app: Installation.app, OrderID(order))
            #expect(facts.map { directory.source($0.source)?.name } == ["pos"])
            #expect(try reader.fold(app: Installation.app, facts).map(\.phase) == [.placed])
        }
    }
}
