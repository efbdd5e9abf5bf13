import Postgres
import PostgresStore
import TestSupport
import Testing

struct PartitionPlanTests {
    private typealias Range = Partitions.Range

    private func positions(_ ranges: [Range], _ table: String = "event") -> [[Int64]] {
        ranges.filter { $0.table == table }.map { [$0.from, $0.to] }
    }

    @Test func `an empty database gets the range in use and two ahead, for facts and effects alike`() {
        let made = Partitions.missing(existing: [], highest: 0, perDay: nil, today: 100)
        #expect(positions(made) == [[0, 400_000], [400_000, 800_000], [800_000, 1_200_000]])
        #expect(positions(made, "effect") == positions(made))
    }

    @Test func `days reach from four back to three ahead`() {
        let made = Partitions.missing(existing: [], highest: 0, perDay: nil, today: 100)
        #expect(positions(made, "dedupe").map { $0[0] } == Array(96...103))
        #expect(positions(made, "audit").map { $0[0] } == Array(96...103))
    }

    @Test func `new ranges follow the measured rate, within bounds`() {
        let first = Partitions.missing(existing: [], highest: 0, perDay: nil, today: 100)
        let later = Partitions.missing(existing: first, highest: 450_000, perDay: 600_000, today: 100)
        #expect(positions(later) == [[1_200_000, 1_800_000]])
        let quiet = Partitions.missing(existing: first, highest: 450_000, perDay: 3, today: 100)
        #expect(positions(quiet) == [[1_200_000, 1_250_000]])
        let flood = Partitions.missing(existing: first, highest: 450_000, perDay: .max, today: 100)
        #expect(positions(flood) == [[1_200_000, 6_200_000]])
    }

    @Test func `nothing is made when enough lies ahead`() {
        let first = Partitions.missing(existing: [], highest: 0, perDay: nil, today: 100)
        #expect(Partitions.missing(existing: first, highest: 399_999, perDay: nil, today: 100).isEmpty)
        #expect(Partitions.ahead(first, highest: 399_999) == 2)
        #expect(Partitions.ahead(first, highest: 400_000) == 1)
    }

    @Test func `a lane that ran past every range gets the one it stands in too`() {
        let made = Partitions.missing(existing: [], highest: 1_000_000, perDay: nil, today: 100)
        #expect(positions(made).map { $0[0] } == [0, 400_000, 800_000, 1_200_000, 1_600_000])
    }
}

@Suite(.enabled(if: TestDatabase.isAvailable))
struct PartitionsTests {
    @Test func `ranges are made ahead of the highest lane, once`() async throws {
        try await TestDatabase.with { database, pool in
            let connection = try await database.connect(StoreSession.maintaining)
            #expect(try await Partitions.extend(on: connection, now: now).isEmpty)
            _ = try await pool.run(Statement("floor", "UPDATE lane_head SET floor_pos = 400000 WHERE lane = 3"))
            let made = try await Partitions.extend(on: connection, now: now)
            #expect(made.map(\.name) == ["event_1200000", "effect_1200000"])
            let results = try await pool.run(append([item("a", "1")], lane: 3))
            #expect(results.map(\.pos) == [400_001])
            #expect(try await pool.run(Partitions.highestPosition) == 400_001)
            await connection.close()
        }
    }

    @Test func `a position beyond the last range is refused`() async throws {
        try await TestDatabase.with { _, pool in
            _ = try await pool.run(Statement("floor", "UPDATE lane_head SET floor_pos = 1200000 WHERE lane = 3"))
            let failure = await #expect(throws: PostgresError.self) {
                try await pool.run(append([item("a", "1")], lane: 3))
            }
            #expect(failure?.sqlState == "23514")
        }
    }

    @Test func `old days are dropped and no others`() async throws {
        try await TestDatabase.with { database, pool in
            let connection = try await database.connect(StoreSession.maintaining)
            let dropped = try await Partitions.dropDays(of: "dedupe", before: Int64(today) - 2, on: connection)
            #expect(dropped == 2)
            let left = try await pool.run(Partitions.all).filter { $0.table == "dedupe" }.map(\.from)
            #expect(left == Array(Int64(today) - 2...Int64(today) + 3))
            await connection.close()
        }
    }
}
