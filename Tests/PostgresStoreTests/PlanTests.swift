import Crypto
import Postgres
import PostgresStore
import TestSupport
import Testing
import Tracking

/// What statements read, counted by the server: a few rows, however full the tables are. Under plans made while a table was
/// empty, which live until autovacuum has analyzed it, they read at most their own lane.
@Suite(.enabled(if: TestDatabase.isAvailable))
struct PlanTests {
    private struct Named: Sendable {
        let name: String
        let call: Call

        init<Output>(_ query: Query<Output>) {
            name = query.call.statement.name
            call = query.call
        }
    }

    /// Every statement of the hot paths and of staff's lists, asking for a handful of rows.
    private func statements(_ round: Int) -> [Named] {
        let orders = (1...3).map { OrderKey(app: 1, order: OrderID("o\(8 * $0)")) }
        let devices = (1...3).map { DeviceKey(app: 1, device: DeviceID("d\(8 * $0)")) }
        let customers = (1...3).map { CustomerKey(app: 1, customer: CustomerID("c\(8 * $0)")) }
        let cards = orders.map { CardKey(app: 1, order: $0.order, device: DeviceID("d1"), incarnation: 1) }
        let slots = cards.map { SlotKey(card: $0) }
        let token = TokenKey(app: 1, hash: [0], kind: .start, environment: .production)
        let reads = [
            Named(EventLog.after(lane: 0, pos: 100, limit: 5)), Named(EventLog.at(lane: 0, positions: [5, 6])),
            Named(EventLog.heads(lane: 0, keys: [streamKey("x")])), Named(EventLog.raw(lane: 0, pos: 3)),
            Named(
                EventLog.stream(lane: 0, app: 1, kind: .order, stream: "s8", streamKey: streamKey("s8"), limit: 5)
            ),
            Named(Orders.load(lane: 0, orders)), Named(Activities.ofOrders(lane: 0, orders)),
            Named(Slots.ofOrders(lane: 0, orders)), Named(Devices.load(lane: 0, devices)),
            Named(Devices.tokens(lane: 0, devices)), Named(CustomerLinks.load(lane: 0, customers)),
            Named(PersonKeys.load(lane: 0, customers)), Named(TokenOwners.load(lane: 0, [token])),
            Named(Effects.of(lane: 0, positions: [3, 4])), Named(Relays.of(lane: 0, limit: 5)),
            Named(Timers.due(lane: 0, now: now, limit: 5)), Named(Claims.due(lane: 0, now: now, limit: 5)),
            Named(Claims.lost(lane: 0, now: now, limit: 5)), Named(LaneWork.pending(lanes: [0, 1], now: now)),
            Named(LaneWork.lag()),
            Named(OrderLists.page(OrderLists.Window(app: 1), limit: 5)),
            Named(OrderLists.page(OrderLists.Window(app: 1, isOpen: true), limit: 5)),
            Named(OrderLists.page(OrderLists.Window(app: 1, place: "p1"), limit: 5)),
            Named(OrderLists.page(OrderLists.Window(app: 1, place: "p1", isOpen: true), limit: 5)),
            Named(OrderReferences.search(app: 1, prefix: "n888", limit: 5)),
            Named(OrderReferences.of(lane: 0, orders[0])), Named(EventLog.extents(since: 0)),
            Named(
                EventLog.orderFacts(
                    app: 1,
                    within: [LaneStretch(lane: 0, after: 100, through: 105)],
                    except: [9],
                    limit: 5
                )
            ),
        ]
        let writes =
            Orders.save(lane: 0, orders.map { order($0.order.value) })
            + Activities.save(lane: 0, orders.map { activity($0.order.value) })
            + Slots.save(lane: 0, orders.map { slot($0.order.value, verb: .start) })
            + Slots.settle(lane: 0, [slots[0]: .random()])
            + Timers.delete(lane: 0, orders.map { TimerKey(app: 1, order: $0.order, kind: 1) })
            + Relays.delete(lane: 0, [RelayKey(pos: 1, number: 0)]) + Devices.delete(lane: 0, [devices[2]])
            + TokenOwners.delete(lane: 0, [token])
        let requests = cards.map { card in
            RecordedClaimRequest(
                card: card,
                rev: 1,
                claim: .random(),
                fact: item(card.order.value, "\(card.order.value)/\(round)")
            )
        }
        let claim = Claims.record(lane: 0, term: 1, now: now, until: now + second, day: today, requests)
        let facts = (0..<3).map { item("s\($0)", "\(round).\($0)") }
        return reads + writes.map { Named($0) } + [Named(claim), Named(append(facts, hint: 2))]
            + Slots.delete(lane: 0, slots).map { Named($0) }
    }

    /// Rows and index entries that this session's statements have read so far, of all tables.
    private func rowsRead(_ connection: PostgresConnection) async throws -> Int64 {
        _ = try await connection.run(Statement("flush", "SELECT pg_stat_force_next_flush()"))
        _ = try await connection.run(Statement("clear", "SELECT pg_stat_clear_snapshot()"))
        let counted = Statement(
            "counted",
            """
            SELECT ((SELECT sum(seq_tup_read) FROM pg_stat_user_tables) + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes))::int8
            """
        )
        var row = try await connection.run(counted)[0]
        return try row.int8()
    }

    private func expect(atMost limit: Int64, _ connection: PostgresConnection, round: Int) async throws {
        for statement in statements(round) {
            let before = try await rowsRead(connection)
            _ = try await connection.perform([statement.call], within: nil)
            let read = try await rowsRead(connection) - before
            #expect(read <= limit, "\(statement.name) read \(read) rows in round \(round)")
        }
    }

    /// Eight lanes, 3,000 rows of each kind in each.
    private static let filling = """
        INSERT INTO event (lane, pos, version, recorded_at, app, source, kind, stream, type, source_event_id)
          SELECT i % 8, 100 + i / 8, 1, now(), 1, 1, 'o', 's' || i, 't', i::text FROM generate_series(8, 24007) i;
        INSERT INTO stream_head SELECT i % 8, 1, gen_random_uuid(), i, i FROM generate_series(1, 24000) i;
        INSERT INTO dedupe SELECT i % 8, gen_random_uuid(), \(today), 1, i, gen_random_uuid() FROM generate_series(1, 24000) i;
        INSERT INTO effect SELECT i % 8, 1, i, now(), '' FROM generate_series(1, 24000) i;
        INSERT INTO order_state SELECT i % 8, 1, 1, 1, i, now() + i * interval '1 ms', now(), CASE WHEN i % 50 > 0 THEN now() END, 1, 'o' || i, 'c', 'p' || i % 50, NULL, ''
          FROM generate_series(1, 24000) i ON CONFLICT DO NOTHING;
        INSERT INTO order_ref SELECT i % 8, 1, 1, 'n' || i, 'o' || i, now() FROM generate_series(1, 24000) i;
        INSERT INTO activity SELECT i % 8, 1, 1, 3, 1, 0, 0, NULL, 'o' || i, 'd1', NULL, '' FROM generate_series(1, 24000) i ON CONFLICT DO NOTHING;
        INSERT INTO slot (lane, app, incarnation, rev, due_at, stamp, verb, order_id, device, body)
          SELECT i % 8, 1, 1, 1, now() + i * interval '1 s', 1, 'u', 'o' || i, 'd1', '' FROM generate_series(1, 24000) i ON CONFLICT DO NOTHING;
        INSERT INTO timer (lane, app, generation, kind, due_at, order_id) SELECT i % 8, 1, 1, 1, now() + i * interval '1 s', 'o' || i FROM generate_series(1, 24000) i;
        INSERT INTO device SELECT i % 8, 1, 1, 0, now(), 1, 'd' || i, 'c', NULL, '' FROM generate_series(1, 24000) i;
        INSERT INTO token_owner SELECT i % 8, 1, i::text::bytea, 's', 'p', 'd' FROM generate_series(1, 24000) i;
        INSERT INTO customer_link SELECT i % 8, 1, now(), 'o', 'c' || i, 'o' || i FROM generate_series(1, 24000) i;
        INSERT INTO person_key SELECT i % 8, 1, 1, 1, 'c' || i, '' FROM generate_series(1, 24000) i;
        INSERT INTO relay SELECT i % 8, i, 0, 1, 1, 'd', 'd', 't', '' FROM generate_series(1, 24000) i;
        """

    @Test(arguments: ["force_generic_plan", "force_custom_plan"])
    func `a full table costs no more than a small one`(_ mode: String) async throws {
        try await TestDatabase.with { [self] database, pool in
            try await takeLane(on: pool)
            let connection = try await database.connect { url in
                var settings = StoreSession.durable(url)
                settings.options["plan_cache_mode"] = mode
                return settings
            }
            for statement in statements(0) { _ = try await connection.perform([statement.call], within: nil) }
            try await connection.runScript(Self.filling)
            // Two of its tables at most.
            try await expect(atMost: 7000, connection, round: 1)
            try await connection.runScript("ANALYZE")
            try await expect(atMost: 200, connection, round: 2)
            await connection.close()
        }
    }
}
