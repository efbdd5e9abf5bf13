import Crypto
import Postgres
import PostgresStore
import TestSupport
import Testing

@Suite(.enabled(if: TestDatabase.isAvailable))
struct LeasesTests {
    @Test func `a lane is kept by its owner and refused to others until it expires`() async throws {
        try await TestDatabase.with { (_, pool) async throws in
            let (mine, other) = (UUID128.random(), UUID128.random())
            func take(_ owner: UUID128, _ lanes: [Int32], at time: Int64) async throws -> [Int64?] {
                try await pool.run(Leases.take(lanes: lanes, owner: owner, now: time, span: 10 * second)).map(\.term)
            }
            #expect(try await take(mine, [2, 0, 1], at: now) == [1, 1, 1])
            #expect(try await take(mine, [0, 1], at: now + 5 * second) == [1, 1])
            #expect(try await take(other, [0, 1, 3], at: now + 12 * second) == [nil, nil, 1])
            #expect(try await take(other, [2], at: now + 12 * second) == [2])
            #expect(try await take(other, [0], at: now + 16 * second) == [2])
        }
    }

    @Test func `a released lane is free at once, and only the owner can release it`() async throws {
        try await TestDatabase.with { _, pool in
            let (mine, other) = (UUID128.random(), UUID128.random())
            _ = try await pool.run(Leases.take(lanes: [0, 1], owner: mine, now: now, span: 10 * second))
            #expect(try await pool.run(Leases.release(lanes: [0, 1], owner: other, now: now)) == 0)
            #expect(try await pool.run(Leases.release(lanes: [0], owner: mine, now: now + second)) == 1)
            let leases = try await pool.run(Leases.all())
            #expect(leases[0].expiresAt == now + second)
            #expect(leases[1].owner == mine)
            let terms = try await pool.run(Leases.take(lanes: [0], owner: other, now: now + second, span: second))
            #expect(terms.map(\.term) == [2])
        }
    }

    @Test func `a new owner's term stands in the lane's checkpoints`() async throws {
        try await TestDatabase.with { _, pool in
            _ = try await pool.run(Checkpoints.create(consumer: "rebuild", lanes: [0, 1]))
            try await takeLane(on: pool)
            try await takeLane(at: now + 60 * second, on: pool)
            #expect(try await pool.run(Checkpoints.read(lanes: [0, 1])).map(\.term) == [2, 0])
            #expect(try await pool.run(Checkpoints.read(consumer: "rebuild", lanes: [0, 1])).map(\.term) == [2, 0])
        }
    }

    @Test func `one of many who try at once gets a lane`() async throws {
        try await TestDatabase.with(connections: 8) { _, pool in
            let taken = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        let terms = try await pool.run(
                            Leases.take(lanes: Array(0..<8), owner: .random(), now: now, span: 10 * second)
                        )
                        return terms.count { $0.term != nil }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(taken == 8)
        }
    }
}
