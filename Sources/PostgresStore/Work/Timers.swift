package import Postgres
package import Tracking

/// A timer's place in its lane. Timers of the order itself have incarnation 0 and no device.
package struct TimerKey: Hashable, Sendable, RowDecodable {
    package var app: Int32
    package var order: OrderID
    package var device: DeviceID
    package var incarnation: Int
    package var kind: Int32

    package init(app: Int32, order: OrderID, device: DeviceID = DeviceID(""), incarnation: Int = 0, kind: Int32) {
        self.app = app
        self.order = order
        self.device = device
        self.incarnation = incarnation
        self.kind = kind
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        app = try row.int4()
        order = try row.order()
        device = try row.device()
        incarnation = Int(try row.int4())
        kind = try row.int4()
    }
}

/// A timer: when it fires, and the generation that its fact's id is made of.
package struct TimerRow: Hashable, Sendable, RowDecodable {
    package var key: TimerKey
    package var generation: Int32
    package var dueAt: Int64

    package init(key: TimerKey, generation: Int32, dueAt: Int64) {
        self.key = key
        self.generation = generation
        self.dueAt = dueAt
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        key = try TimerKey(from: &row)
        generation = try row.int4()
        dueAt = try row.timestamptz()
    }
}

extension [TimerKey] {
    fileprivate var columns: [PGValue] {
        [
            .int4Array(map(\.app)), .textArray(map(\.order.value)), .textArray(map(\.device.value)),
            .int4Array(map { Int32($0.incarnation) }), .int4Array(map(\.kind)),
        ]
    }
}

package enum Timers {
    /// Arms timers, or arms them anew.
    package static func save(lane: Int32, _ rows: [TimerRow]) -> [Write] {
        .unless(
            rows.isEmpty,
            saveStatement,
            [.int4(lane)] + rows.map(\.key).columns
                + [.int4Array(rows.map(\.generation)), .timestamptzArray(rows.map(\.dueAt))]
        )
    }

    package static func delete(lane: Int32, _ keys: [TimerKey]) -> [Write] {
        .unless(keys.isEmpty, deleteStatement, [.int4(lane)] + keys.columns)
    }

    /// The timers of a lane that are due, the longest first; kinds in `without` wait.
    package static func due(lane: Int32, now: Int64, limit: Int, without: [Int32] = []) -> Query<[TimerRow]> {
        .list(dueStatement, [.int4(lane), .timestamptz(now), .int8(Int64(limit)), .int4Array(without)])
    }

    /// After their facts were appended: they are not looked at again before `until`, so none can block others. The
    /// projector deletes them or arms them anew.
    package static func postpone(lane: Int32, _ rows: [TimerRow], until: Int64) -> [Write] {
        .unless(
            rows.isEmpty,
            postponeStatement,
            [.int4(lane)] + rows.map(\.key).columns + [.int4Array(rows.map(\.generation)), .timestamptz(until)]
        )
    }

    private static let saveStatement = Statement(
        "save_timers",
        """
        INSERT INTO timer AS t (lane, app, order_id, device, incarnation, kind, generation, due_at)
        SELECT $1, u.* FROM unnest($2, $3, $4, $5, $6, $7, $8) u
        ON CONFLICT (lane, app, order_id, device, incarnation, kind)
          DO UPDATE SET generation = excluded.generation, due_at = excluded.due_at
        """
    )

    private static let deleteStatement = Statement(
        "delete_timers",
        """
        DELETE FROM timer t USING unnest($2, $3, $4, $5, $6) k(app, order_id, device, incarnation, kind)
        WHERE t.lane = $1 AND t.app = k.app AND t.order_id = k.order_id AND t.device = k.device
          AND t.incarnation = k.incarnation AND t.kind = k.kind
        """
    )

    private static let dueStatement = Statement(
        "due_timers",
        """
        SELECT app, order_id, device, incarnation, kind, generation, due_at FROM timer
        WHERE lane = $1 AND due_at <= $2 AND kind <> ALL ($4) ORDER BY due_at LIMIT $3
        """
    )

    private static let postponeStatement = Statement(
        "postpone_timers",
        """
        UPDATE timer t SET due_at = $8
        FROM unnest($2, $3, $4, $5, $6, $7) k(app, order_id, device, incarnation, kind, generation)
        WHERE t.lane = $1 AND t.app = k.app AND t.order_id = k.order_id AND t.device = k.device
          AND t.incarnation = k.incarnation AND t.kind = k.kind AND t.generation = k.generation
        """
    )
}
