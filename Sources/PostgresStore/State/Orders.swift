package import Postgres
package import Tracking

/// A folded order. `state` is the encoded fold, `stateVersion` names its format; the rest is for lists.
package struct OrderRow: Hashable, Sendable, RowDecodable {
    package var app: Int32
    package var order: OrderID
    /// Of the stream.
    package var version: Int32
    package var stateVersion: Int32
    /// Of the newest fact folded.
    package var pos: Int64
    package var placedAt: Int64
    package var lastAt: Int64
    package var closedAt: Int64?
    package var phase: Int32
    package var customer: CustomerID?
    package var place: String?
    package var courier: String?
    package var state: [UInt8]

    package init(
        app: Int32,
        order: OrderID,
        version: Int32,
        stateVersion: Int32,
        pos: Int64,
        placedAt: Int64,
        lastAt: Int64,
        closedAt: Int64? = nil,
        phase: Int32,
        customer: CustomerID? = nil,
        place: String? = nil,
        courier: String? = nil,
        state: [UInt8]
    ) {
        self.app = app
        self.order = order
        self.version = version
        self.stateVersion = stateVersion
        self.pos = pos
        self.placedAt = placedAt
        self.lastAt = lastAt
        self.closedAt = closedAt
        self.phase = phase
        self.customer = customer
        self.place = place
        self.courier = courier
        self.state = state
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        app = try row.int4()
        order = try row.order()
        version = try row.int4()
        stateVersion = try row.int4()
        pos = try row.int8()
        placedAt = try row.timestamptz()
        lastAt = try row.timestamptz()
        closedAt = try row.timestamptzOrNull()
        phase = try row.int4()
        customer = try row.customerOrNull()
        place = try row.textOrNull()
        courier = try row.textOrNull()
        state = try row.bytea()
    }
}

package enum Orders {
    static let columns = """
        o.app, o.order_id, o.version, o.state_version, o.pos, o.placed_at, o.last_at, o.closed_at, o.phase, o.customer, o.place,
          o.courier, o.state
        """

    /// Those of the orders that exist.
    package static func load(lane: Int32, _ keys: [OrderKey]) -> Query<[OrderRow]> {
        .list(loadStatement, [.int4(lane)] + keys.columns)
    }

    package static func save(lane: Int32, _ rows: [OrderRow]) -> [Write] {
        .unless(
            rows.isEmpty,
            saveStatement,
            [
                .int4(lane), .int4Array(rows.map(\.app)), .textArray(rows.map(\.order.value)),
                .int4Array(rows.map(\.version)), .int4Array(rows.map(\.stateVersion)), .int8Array(rows.map(\.pos)),
                .timestamptzArray(rows.map(\.placedAt)), .timestamptzArray(rows.map(\.lastAt)),
                .timestamptzArray(rows.map(\.closedAt)), .int4Array(rows.map(\.phase)),
                .textArray(rows.map(\.customer?.value)), .textArray(rows.map(\.place)), .textArray(rows.map(\.courier)),
                .byteaArray(rows.map(\.state)),
            ]
        )
    }

    private static let loadStatement = Statement(
        "load_orders",
        """
        SELECT \(columns) FROM unnest($2, $3) k(app, order_id)
          JOIN order_state o ON o.lane = $1 AND o.app = k.app AND o.order_id = k.order_id
        """
    )

    private static let saveStatement = Statement(
        "save_orders",
        """
        INSERT INTO order_state (lane, app, order_id, version, state_version, pos, placed_at, last_at, closed_at, phase, customer,
          place, courier, state)
        SELECT $1, u.* FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) u
        ON CONFLICT (lane, app, order_id) DO UPDATE SET version = excluded.version, state_version = excluded.state_version,
          pos = excluded.pos, placed_at = excluded.placed_at, last_at = excluded.last_at, closed_at = excluded.closed_at,
          phase = excluded.phase, customer = excluded.customer, place = excluded.place, courier = excluded.courier,
          state = excluded.state
        """
    )
}
