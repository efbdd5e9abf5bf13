package import Postgres
internal import Tracking

/// One Live Activity: the machine's state and its sealed update token.
package struct ActivityRow: Hashable, Sendable, RowDecodable {
    package var key: CardKey
    package var phase: Int32
    /// Counts registrations of the update token.
    package var tokenGeneration: Int32
    package var keyID: Int32
    /// The newest push timestamp given out, in unix seconds.
    package var lastStamp: Int64
    package var endsAt: Int64?
    package var token: [UInt8]?
    package var state: [UInt8]

    package init(
        key: CardKey,
        phase: Int32,
        tokenGeneration: Int32,
        keyID: Int32,
        lastStamp: Int64,
        endsAt: Int64? = nil,
        token: [UInt8]? = nil,
        state: [UInt8]
    ) {
        self.key = key
        self.phase = phase
        self.tokenGeneration = tokenGeneration
        self.keyID = keyID
        self.lastStamp = lastStamp
        self.endsAt = endsAt
        self.token = token
        self.state = state
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        key = try CardKey(from: &row)
        phase = try row.int4()
        tokenGeneration = try row.int4()
        keyID = try row.int4()
        lastStamp = try row.int8()
        endsAt = try row.timestamptzOrNull()
        token = try row.byteaOrNull()
        state = try row.bytea()
    }
}

package enum Activities {
    /// All cards of these orders.
    package static func ofOrders(lane: Int32, _ keys: [OrderKey]) -> Query<[ActivityRow]> {
        .list(ofOrdersStatement, [.int4(lane)] + keys.columns)
    }

    package static func save(lane: Int32, _ rows: [ActivityRow]) -> [Write] {
        .unless(
            rows.isEmpty,
            saveStatement,
            [.int4(lane)] + rows.map(\.key).columns
                + [
                    .int4Array(rows.map(\.phase)), .int4Array(rows.map(\.tokenGeneration)),
                    .int4Array(rows.map(\.keyID)), .int8Array(rows.map(\.lastStamp)),
                    .timestamptzArray(rows.map(\.endsAt)), .byteaArray(rows.map(\.token)),
                    .byteaArray(rows.map(\.state)),
                ]
        )
    }

    private static let ofOrdersStatement = Statement(
        "activities_of_orders",
        """
        SELECT a.app, a.order_id, a.device, a.incarnation, a.phase, a.token_generation, a.key_id, a.last_stamp, a.ends_at,
          a.token, a.state
        FROM unnest($2, $3) k(app, order_id)
          JOIN activity a ON a.lane = $1 AND a.app = k.app AND a.order_id = k.order_id
        """
    )

    private static let saveStatement = Statement(
        "save_activities",
        """
        INSERT INTO activity AS a (lane, app, order_id, device, incarnation, phase, token_generation, key_id, last_stamp, ends_at,
          token, state)
        SELECT $1, u.* FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) u
        ON CONFLICT (lane, app, order_id, device, incarnation) DO UPDATE SET phase = excluded.phase,
          token_generation = excluded.token_generation, key_id = excluded.key_id,
          last_stamp = greatest(a.last_stamp, excluded.last_stamp), ends_at = excluded.ends_at, token = excluded.token,
          state = excluded.state
        """
    )
}
