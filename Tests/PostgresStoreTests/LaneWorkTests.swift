import Postgres
import PostgresStore
import TestSupport
import Testing
import Tracking

@Suite(.enabled(if: TestDatabase.isAvailable))
struct LaneWorkTests {
    @Test func `every kind of waiting work shows in its lane only`() async throws {
        try await TestDatabase.with { _, pool in
            _ = try await pool.run(append([item("a", "1")], lane: 0))
            _ = try await pool.runAll(Slots.save(lane: 1, [slot("a")]))
            _ = try await pool.runAll(Timers.save(lane: 2, [timer("a")]))
            _ = try await pool.runAll(Relays.insert(lane: 3, [relay(1, 0)]))
            _ = try await pool.runAll(Slots.save(lane: 4, [slot("a", dueAt: now + 1)]))
            let rows = try await pool.run(LaneWork.pending(lanes: [0, 1, 2, 3, 4], now: now))
            #expect(rows.map(\.hasFacts) == [true, false, false, false, false])
            #expect(rows.map(\.hasDueSlots) == [false, true, false, false, false])
            #expect(rows.map(\.hasDueTimers) == [false, false, true, false, false])
            #expect(rows.map(\.hasRelays) == [false, false, false, true, false])
            #expect(rows.allSatisfy { !$0.hasLostClaims })
        }
    }

    @Test func `a lane lags by its oldest fact that is not read`() async throws {
        try await TestDatabase.with { _, pool in
            _ = try await pool.run(append([item("a", "1"), item("a", "2")], lane: 5))
            #expect(try await pool.run(LaneWork.lag()).map(\.lane) == [5])
            let term = try await takeLane(5, on: pool)
            _ = try await pool.run(Checkpoints.advance(lane: 5, term: term, from: 0, to: 2))
            #expect(try await pool.run(LaneWork.lag()).isEmpty)
        }
    }

    private func timer(_ order: String, generation: Int32 = 1, dueAt: Int64 = now) -> TimerRow {
        TimerRow(key: TimerKey(app: 1, order: OrderID(order), kind: 2), generation: generation, dueAt: dueAt)
    }

    private func relay(_ pos: Int64, _ number: Int32) -> RelayRow {
        RelayRow(pos: pos, number: number, toLane: 6, app: 1, kind: .device, stream: "d", type: "t", body: [1])
    }

    @Test func `relays are read in order and go when they were delivered`() async throws {
        try await TestDatabase.with { [self] _, pool in
            let rows = [relay(2, 0), relay(1, 1), relay(1, 0)]
            _ = try await pool.runAll(Relays.insert(lane: 0, rows))
            #expect(try await pool.run(Relays.of(lane: 0, limit: 10)) == [rows[2], rows[1], rows[0]])
            _ = try await pool.runAll(
                Relays.delete(lane: 0, [RelayKey(pos: 1, number: 0), RelayKey(pos: 2, number: 0)])
            )
            #expect(try await pool.run(Relays.of(lane: 0, limit: 10)) == [rows[1]])
        }
    }

    @Test func `a fired timer rests, is armed anew or goes`() async throws {
        try await TestDatabase.with { [self] _, pool in
            _ = try await pool.runAll(Timers.save(lane: 0, [timer("a"), timer("b"), timer("c", dueAt: now + second)]))
            let due = try await pool.run(Timers.due(lane: 0, now: now, limit: 10))
            #expect(due.map(\.key.order) == [OrderID("a"), OrderID("b")])
            // One was armed anew meanwhile: postponing its old generation changes nothing.
            _ = try await pool.runAll(Timers.save(lane: 0, [timer("b", generation: 2)]))
            _ = try await pool.runAll(Timers.postpone(lane: 0, due, until: now + 30 * second))
            #expect(try await pool.run(Timers.due(lane: 0, now: now, limit: 10)) == [timer("b", generation: 2)])
            _ = try await pool.runAll(Timers.delete(lane: 0, [timer("b").key]))
            #expect(try await pool.run(Timers.due(lane: 0, now: now, limit: 10)).isEmpty)
        }
    }

    @Test func `a parked stream keeps its first reason until it is unparked`() async throws {
        try await TestDatabase.with { _, pool in
            func parked(_ reason: String, _ stream: String) -> ParkedRow {
                ParkedRow(
                    lane: 0,
                    app: 1,
                    kind: .order,
                    stream: stream,
                    fromVersion: 3,
                    fromPos: 9,
                    since: now,
                    reason: reason
                )
            }
            _ = try await pool.runAll(ParkedStreams.insert(lane: 0, [parked("first", "a"), parked("first", "b")]))
            _ = try await pool.runAll(ParkedStreams.insert(lane: 0, [parked("second", "a")]))
            #expect(try await pool.run(ParkedStreams.of(lane: 0)).map(\.reason) == ["first", "first"])
            #expect(try await pool.run(Counters.parkedStreams) == 2)
            let page = try await pool.run(ParkedStreams.list(app: 1, limit: 1))
            #expect(page == [parked("first", "a")])
            let next = ParkedStreams.list(app: 1, afterLane: 0, kind: StreamKind.order.rawValue, stream: "a", limit: 9)
            #expect(try await pool.run(next) == [parked("first", "b")])
            _ = try await pool.run(ParkedStreams.delete(lane: 0, app: 1, kind: .order, stream: "a"))
            #expect(try await pool.run(ParkedStreams.of(lane: 0)).map(\.stream) == ["b"])
        }
    }
}
