package import Postgres
package import Tracking

/// A token value inside the lane of its token stream: its keyed hash, what it is for, and where.
package struct TokenKey: Hashable, Sendable, RowDecodable {
    package var app: Int32
    package var hash: [UInt8]
    /// One letter for start, update or alert.
    package var kind: UInt8
    /// One letter for sandbox or production.
    package var environment: UInt8

    package init(
        app: Int32,
        hash: [UInt8],
        kind: UInt8,
        environment: UInt8
    ) {
        self.app = app
        self.hash = hash
        self.kind = kind
        self.environment = environment
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        app = try row.int4()
        hash = try row.bytea()
        kind = try row.char()
        environment = try row.char()
    }
}

/// Who owns a token value.
package struct TokenOwnerRow: Hashable, Sendable, RowDecodable {
    package var key: TokenKey
    package var device: DeviceID
    package var order: OrderID?
    /// When Apple said it is dead.
    package var deadAt: Int64?

    package init(key: TokenKey, device: DeviceID, order: OrderID? = nil, deadAt: Int64? = nil) {
        self.key = key
        self.device = device
        self.order = order
        self.deadAt = deadAt
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        key = try TokenKey(from: &row)
        device = try row.device()
        order = try row.orderOrNull()
        deadAt = try row.timestamptzOrNull()
    }
}

extension [TokenKey] {
    fileprivate var columns: [PGValue] {
        [
            .int4Array(map(\.app)), .byteaArray(map(\.hash)), .charArray(map(\.kind)), .charArray(map(\.environment)),
        ]
    }
}

package enum TokenOwners {
    package static func load(lane: Int32, _ keys: [TokenKey]) -> Query<[TokenOwnerRow]> {
        .list(loadStatement, [.int4(lane)] + keys.columns)
    }

    package static func save(lane: Int32, _ rows: [TokenOwnerRow]) -> [Write] {
        .unless(
            rows.isEmpty,
            saveStatement,
            [.int4(lane)] + rows.map(\.key).columns
                + [
                    .textArray(rows.map(\.device.value)), .textArray(rows.map(\.order?.value)),
                    .timestamptzArray(rows.map(\.deadAt)),
                ]
        )
    }

    package static func delete(lane: Int32, _ keys: [TokenKey]) -> [Write] {
        .unless(keys.isEmpty, deleteStatement, [.int4(lane)] + keys.columns)
    }

    private static let loadStatement = Statement(
        "load_token_owners",
        """
        SELECT t.app, t.hash, t.kind, t.environment, t.device, t.order_id, t.dead_at
        FROM unnest($2, $3, $4, $5) k(app, hash, kind, environment)
          JOIN token_owner t ON t.lane = $1 AND t.app = k.app AND t.hash = k.hash AND t.kind = k.kind
            AND t.environment = k.environment
        """
    )

    private static let saveStatement = Statement(
        "save_token_owners",
        """
        INSERT INTO token_owner (lane, app, hash, kind, environment, device, order_id, dead_at)
        SELECT $1, u.* FROM unnest($2, $3, $4, $5, $6, $7, $8) u
        ON CONFLICT (lane, app, hash, kind, environment)
          DO UPDATE SET device = excluded.device, order_id = excluded.order_id, dead_at = excluded.dead_at
        """
    )

    private static let deleteStatement = Statement(
        "delete_token_owners",
        """
        DELETE FROM token_owner t USING unnest($2, $3, $4, $5) k(app, hash, kind, environment)
        WHERE t.lane = $1 AND t.app = k.app AND t.hash = k.hash AND t.kind = k.kind AND t.environment = k.environment
        """
    )
}
