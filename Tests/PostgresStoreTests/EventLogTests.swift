import Crypto
import Postgres
import PostgresStore
import Runtime
import TestSupport
import Testing
import Tracking

@Suite(.enabled(if: TestDatabase.isAvailable))
struct EventLogTests {
    @Test func `facts get dense positions and each stream dense versions`() async throws {
        try await TestDatabase.with { _, pool in
            let results = try await pool.run(append([item("a", "1"), item("b", "1"), item("a", "2")]))
            #expect(results.map(\.outcome) == [.new, .new, .new])
            // Streams are numbered one after the other, each in the order given.
            #expect(Set(results.compactMap(\.pos)) == [1, 2, 3])
            #expect(results.map(\.version) == [1, 1, 2])
            let next = try await pool.run(append([item("a", "3")], hint: 3))
            #expect(next.map(\.pos) == [4])
            #expect(next.map(\.version) == [3])
        }
    }

    // E02 E03
    @Test func `concurrent appenders leave no hole and lose nothing`() async throws {
        try await TestDatabase.with(connections: 6) { _, pool in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<12 {
                    group.addTask {
                        for step in 0..<20 {
                            let items = (0..<5).map { item("o\((writer + $0) % 7)", "\(writer).\(step).\($0)") }
                            let results = try await appendRetrying(items, on: pool)
                            #expect(results.allSatisfy { $0.outcome == .new })
                        }
                    }
                }
                try await group.waitForAll()
            }
            let rows = try await pool.run(EventLog.after(lane: 0, pos: 0, limit: 10000))
            #expect(rows.count == 1200)
            try EventLog.requireNoHole(rows, after: 0)
            for stream in 0..<7 {
                let versions = rows.filter { $0.stream == "o\(stream)" }.map(\.version)
                #expect(versions == Array(1...Int32(versions.count)))
            }
        }
    }

    @Test func `the same fact again is a duplicate of the first`() async throws {
        try await TestDatabase.with { _, pool in
            let first = try await pool.run(append([item("a", "1"), item("a", "2")]))
            let again = try await pool.run(append([item("a", "2"), item("a", "3"), item("a", "3")]))
            #expect(again.map(\.outcome) == [.duplicate, .new, .duplicate])
            #expect(again[0].pos == first[1].pos)
            #expect(again[0].version == 2)
            #expect(again[1].pos == again[2].pos)
        }
    }

    // D06
    @Test func `an id with other content is refused, kept and counted`() async throws {
        try await TestDatabase.with { _, pool in
            let first = try await pool.run(append([item("a", "1")]))
            for _ in 0..<2 {
                let reused = try await pool.run(append([item("a", "1", content: "y")]))
                #expect(reused.map(\.outcome) == [.reused])
                #expect(reused[0].pos == first[0].pos)
            }
            let rows = try await pool.run(Quarantine.open(app: 1, limit: 10))
            #expect(rows.map(\.times) == [2])
            #expect(rows[0].body == Array("y".utf8))
            #expect(try await pool.run(EventLog.after(lane: 0, pos: 0, limit: 10)).count == 1)
            let key = (rows[0].key, rows[0].print)
            #expect(try await pool.run(Quarantine.resolve(lane: 0, key: key.0, print: key.1, at: now)) == 1)
            #expect(try await pool.run(Quarantine.open(app: 1, limit: 10)).isEmpty)
            #expect(try await pool.run(Quarantine.row(lane: 0, key: key.0, print: key.1))?.resolvedAt == now)
        }
    }

    @Test func `an expected version that does not hold is a conflict and uses no position`() async throws {
        try await TestDatabase.with { _, pool in
            let results = try await pool.run(
                append([
                    item("a", "1", expectedVersion: 0), item("a", "2", expectedVersion: 0),
                    item("a", "3", expectedVersion: 1),
                ])
            )
            #expect(results.map(\.outcome) == [.new, .conflict, .new])
            #expect(results[1].pos == nil)
            #expect(results[1].version == 1)
            #expect(results[2].pos == 2)
        }
    }

    @Test func `a position that somebody took is 23505, and calling again takes the next one`() async throws {
        try await TestDatabase.with { database, pool in
            _ = try await pool.run(append([item("a", "1")]))
            // A writer that does not take the lane's lock, as one that came back from the dead on an old node.
            let rogue = try await database.connect()
            try await rogue.runScript(
                """
                BEGIN; INSERT INTO event (lane, pos, version, recorded_at, app, source, kind, stream, type, source_event_id)
                VALUES (0, 2, 1, now(), 1, 1, 'o', 'rogue', 't', 'r')
                """
            )
            let waiting = Task { try await pool.run(append([item("a", "2")])) }
            try await waitForLockWaiter(rogue)
            try await rogue.runScript("COMMIT")
            let failure = await #expect(throws: PostgresError.self) { try await waiting.value }
            #expect(failure?.sqlState == "23505")
            #expect(failure?.remedy == .callAgain)
            #expect(try await pool.run(append([item("a", "2")])).map(\.pos) == [3])
            await rogue.close()
        }
    }

    /// Returns once a session of this database waits for a lock.
    private func waitForLockWaiter(_ session: some PostgresSession) async throws {
        let waiting = Statement(
            "waiting",
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        while try await session.run(waiting).isEmpty { try await TestLoop.shared.sleep(for: .milliseconds(5)) }
    }

    @Test func `a lane that somebody holds is busy, its neighbours are not`() async throws {
        try await TestDatabase.with(settings: StoreSession.appending) { database, pool in
            let holder = try await database.connect()
            try await holder.runScript("BEGIN; SELECT FROM lane_head WHERE lane = 0 FOR NO KEY UPDATE")
            let failure = await #expect(throws: PostgresError.self) { try await pool.run(append([item("a", "1")])) }
            #expect(failure?.remedy == .rowBusy)
            #expect(try await pool.run(append([item("a", "1")], lane: 1)).map(\.outcome) == [.new])
            try await holder.runScript("ROLLBACK")
            #expect(try await pool.run(append([item("a", "1")])).map(\.pos) == [1])
            await holder.close()
        }
    }

    @Test func `several lanes are one transaction`() async throws {
        try await TestDatabase.with { _, pool in
            let results = try await pool.runAll([append([item("a", "1")], lane: 1), append([item("b", "1")], lane: 2)])
            #expect(results.map { $0.map(\.pos) } == [[1], [1]])
            let failure = await #expect(throws: PostgresError.self) {
                try await pool.runAll([append([item("a", "2")], lane: 1), append([item("b", "2")], lane: 999)])
            }
            #expect(failure?.code == .rejected)
            #expect(try await pool.run(EventLog.after(lane: 1, pos: 1, limit: 10)).isEmpty)
        }
    }

    @Test func `a lane goes on above its floor, and a hint beyond the tail does no harm`() async throws {
        try await TestDatabase.with { _, pool in
            _ = try await pool.run(append([item("a", "1")], hint: 77))
            #expect(try await pool.run(append([item("a", "2")], hint: 500_000)).map(\.pos) == [2])
            _ = try await pool.run(Statement("floor", "UPDATE lane_head SET floor_pos = 40 WHERE lane = 0"))
            #expect(try await pool.run(append([item("a", "3")], hint: 2)).map(\.pos) == [41])
        }
    }

    @Test func `a fact comes back as it was appended`() async throws {
        try await TestDatabase.with { _, pool in
            var full = item("\u{1F6F5} a/b", "id")
            full.flags = 5
            full.keyID = 3
            full.raw = [1]
            full.trace = [2]
            full.actor = "key7"
            _ = try await pool.run(append([full], lane: 2))
            let row = try #require(try await pool.run(EventLog.at(lane: 2, positions: [1, 9])).first)
            #expect(row.lane == 2)
            #expect(row.version == 1)
            #expect(row.occurredAt == now - second)
            #expect(row.recordedAt == now)
            #expect(row.kind == .order)
            #expect(row.stream == "\u{1F6F5} a/b")
            #expect(row.type == "order.accepted")
            #expect(row.id == "id")
            #expect([row.flags, row.keyID, row.app, row.source] == [5, 3, 1, 1])
            #expect(row.body == full.body)
            #expect(row.trace == [2])
            #expect(row.actor == "key7")
            #expect(try await pool.run(EventLog.raw(lane: 2, pos: 1)) == [1])
            #expect(try await pool.run(EventLog.raw(lane: 2, pos: 2)) == nil)
        }
    }

    @Test func `a stream is read across ranges, alone and from a position on`() async throws {
        try await TestDatabase.with { _, pool in
            _ = try await pool.run(append([item("a", "1"), item("b", "1"), item("a", "2")]))
            _ = try await pool.run(Statement("floor", "UPDATE lane_head SET floor_pos = 399999 WHERE lane = 0"))
            _ = try await pool.run(append([item("a", "3"), item("b", "2")]))
            func read(_ after: Int64, _ limit: Int) -> Query<[EventRow]> {
                EventLog.stream(
                    lane: 0,
                    app: 1,
                    kind: .order,
                    stream: "a",
                    streamKey: streamKey("a"),
                    after: after,
                    limit: limit
                )
            }
            let all = try await pool.run(read(0, 10))
            #expect(all.map(\.id) == ["1", "2", "3"])
            #expect(all.map(\.version) == [1, 2, 3])
            #expect(try await pool.run(read(all[1].pos, 10)).map(\.id) == ["3"])
            #expect(try await pool.run(read(0, 2)).map(\.id) == ["1", "2"])
            let heads = try await pool.run(EventLog.heads(lane: 0, keys: [streamKey("a"), streamKey("none")]))
            #expect(heads.map(\.version) == [3])
            #expect(heads[0].firstPos == all[0].pos)
            #expect(heads[0].lastPos == all[2].pos)
        }
    }

    // E15
    @Test func `a hole is found`() async throws {
        try await TestDatabase.with { _, pool in
            _ = try await pool.run(append([item("a", "1"), item("a", "2"), item("a", "3")]))
            _ = try await pool.run(Statement("damage", "DELETE FROM event WHERE lane = 0 AND pos = 2"))
            let rows = try await pool.run(EventLog.after(lane: 0, pos: 0, limit: 10))
            #expect(throws: StoreError.self) { try EventLog.requireNoHole(rows, after: 0) }
        }
    }
}
