import Crypto
import Postgres
import PostgresStore
import Runtime
import TestSupport
import Testing
import Tracking

@testable import Service

@Suite(.enabled(if: TestDatabase.isAvailable))
struct LaneKeeperTests {
    private static let lanes = (0..<Int32(Installation.lanes)).map(\.self)

    /// The lanes another process would get at this moment.
    private func free(_ installation: Installation, at time: Int64) async throws -> Int {
        try await installation.pool.run(
            Leases.take(lanes: Self.lanes, owner: .random(), now: time, span: 1_000_000)
        ).filter { $0.term != nil }.count
    }

    @Test func `a process that ends in order gives its lanes back at once`() async throws {
        var settings = Pipeline.Settings.prompt
        settings.leases.life = .seconds(600)
        try await Installation.with { [settings] installation in
            try await Node.with(installation, gateway: ScriptedGateway(), settings: settings) { node in
                try await node.eventually("all lanes") { await node.pipeline.worker.held.count == Installation.lanes }
                #expect(try await free(installation, at: node.clock.now) == 0)
            }
            #expect(try await free(installation, at: WallClock.microseconds) == Installation.lanes)
        }
    }

    @Test func `a process that dies keeps its lanes for the life of the lease and no longer`() async throws {
        var settings = LaneKeeper.Settings()
        settings.life = .seconds(600)
        try await Installation.with { [settings] installation in
            let taken = try await dyingKeeper(installation, settings)
            #expect(taken == Installation.lanes)
            #expect(try await free(installation, at: WallClock.microseconds) == 0)
            #expect(try await free(installation, at: WallClock.microseconds + 590_000_000) == 0)
            #expect(try await free(installation, at: WallClock.microseconds + 610_000_000) == Installation.lanes)
        }
    }

    @Test func `two processes never hold one lane`() async throws {
        try await Installation.with { installation in
            try await Node.with(installation, gateway: ScriptedGateway()) { one in
                try await Node.with(installation, gateway: ScriptedGateway()) { other in
                    try await one.eventually("all lanes") {
                        await one.pipeline.worker.held.count + other.pipeline.worker.held.count == Installation.lanes
                    }
                    let mine = Set(await one.pipeline.worker.held.keys)
                    #expect(mine.isDisjoint(with: await other.pipeline.worker.held.keys))
                }
                try await one.eventually("the rest") { await one.pipeline.worker.held.count == Installation.lanes }
            }
        }
    }

    /// Runs a keeper until it holds lanes and stops it without a release; answers how many it held.
    private func dyingKeeper(_ installation: Installation, _ settings: LaneKeeper.Settings) async throws -> Int {
        let node = try await Node(installation, gateway: ScriptedGateway())
        let keeper = LaneKeeper(
            loop: TestLoop.shared,
            pool: installation.pool,
            worker: node.pipeline.worker,
            relays: RelayPump(
                loop: TestLoop.shared,
                appender: node.appender,
                directory: node.directory,
                onDelivered: { _, _ in }
            ),
            clock: node.clock,
            lanes: Installation.lanes,
            settings: settings,
            failed: { operation, error in Issue.record("\(operation): \(error)") }
        )
        let running = Task(executorPreference: TestLoop.shared.tasks) { try await keeper.run() }
        try await node.eventually("lanes") { await node.pipeline.worker.held.count == Installation.lanes }
        running.cancel()
        try await running.value
        return await node.pipeline.worker.held.count
    }
}
