import Postgres
import PostgresStore
import TestSupport
import Testing
import Tracking

@Suite(.enabled(if: TestDatabase.isAvailable))
struct CheckpointsTests {
    private func write(_ pool: PostgresPool, term: Int64, from: Int64, to: Int64) async throws {
        var writes = [Checkpoints.advance(lane: 0, term: term, from: from, to: to)]
        writes += Orders.save(lane: 0, [order("a")])
        writes += Slots.save(lane: 0, [slot("a")])
        _ = try await pool.runAll(writes)
    }

    @Test func `a batch moves the checkpoint and everything with it`() async throws {
        try await TestDatabase.with { [self] _, pool in
            let term = try await takeLane(on: pool)
            try await write(pool, term: term, from: 0, to: 7)
            #expect(try await pool.run(Checkpoints.read(lanes: [0])).map(\.pos) == [7])
            #expect(try await pool.run(Counters.openOrders) == 1)
        }
    }

    @Test(arguments: [(2, 0), (0, 0), (1, 3)] as [(Int64, Int64)])
    func `a stale term or position undoes the whole pipeline`(_ term: Int64, _ from: Int64) async throws {
        try await TestDatabase.with { [self] _, pool in
            let held = try await takeLane(on: pool)
            #expect(held == 1)
            let failure = await #expect(throws: PostgresError.self) {
                try await write(pool, term: term, from: from, to: 7)
            }
            #expect(failure?.isLaneLost == true)
            #expect(try await pool.run(Checkpoints.read(lanes: [0])).map(\.pos) == [0])
            #expect(try await pool.run(Counters.openOrders) == 0)
            #expect(try await pool.run(Counters.pendingSlots) == 0)
        }
    }

    // E30
    @Test func `of two projectors at one position one goes on`() async throws {
        try await TestDatabase.with(connections: 2) { [self] _, pool in
            let term = try await takeLane(on: pool)
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<2 {
                    group.addTask { (try? await write(pool, term: term, from: 0, to: 5)) != nil }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 } == 1)
        }
    }

    @Test func `attempts at one fact are counted until it is passed`() async throws {
        try await TestDatabase.with { _, pool in
            let term = try await takeLane(on: pool)
            #expect(try await pool.run(Checkpoints.suspect(lane: 0, term: term, pos: 4)) == 1)
            #expect(try await pool.run(Checkpoints.suspect(lane: 0, term: term, pos: 4)) == 2)
            #expect(try await pool.run(Checkpoints.suspect(lane: 0, term: term, pos: 5)) == 1)
            #expect(try await pool.run(Checkpoints.suspect(lane: 0, term: term + 1, pos: 5)) == nil)
            _ = try await pool.run(Checkpoints.advance(lane: 0, term: term, from: 0, to: 5))
            let row = try #require(try await pool.run(Checkpoints.read(lanes: [0])).first)
            #expect(row.suspectPos == nil)
            #expect(row.attempts == 0)
        }
    }
}
