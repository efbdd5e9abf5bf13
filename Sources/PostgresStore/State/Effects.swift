package import Postgres

/// What was decided when a fact was folded; never changed. `items` are the encoded decisions.
package struct EffectRow: Hashable, Sendable, RowDecodable {
    package var pos: Int64
    package var policy: Int32
    package var decidedAt: Int64
    package var items: [UInt8]

    package init(
        pos: Int64,
        policy: Int32,
        decidedAt: Int64,
        items: [UInt8]
    ) {
        self.pos = pos
        self.policy = policy
        self.decidedAt = decidedAt
        self.items = items
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        pos = try row.int8()
        policy = try row.int4()
        decidedAt = try row.timestamptz()
        items = try row.bytea()
    }
}

package enum Effects {
    /// Records decisions; those recorded before stay.
    package static func insert(lane: Int32, _ rows: [EffectRow]) -> [Write] {
        .unless(
            rows.isEmpty,
            insertStatement,
            [
                .int4(lane), .int8Array(rows.map(\.pos)), .int4Array(rows.map(\.policy)),
                .timestamptzArray(rows.map(\.decidedAt)), .byteaArray(rows.map(\.items)),
            ]
        )
    }

    /// The decisions that the facts at these positions caused, in order.
    package static func of(lane: Int32, positions: [Int64]) -> Query<[EffectRow]> {
        .list(ofStatement, [.int4(lane), .int8Array(positions)])
    }

    private static let insertStatement = Statement(
        "insert_effects",
        """
        INSERT INTO effect (lane, pos, policy, decided_at, items) SELECT $1, u.* FROM unnest($2, $3, $4, $5) u
        ON CONFLICT (lane, pos) DO NOTHING
        """
    )

    private static let ofStatement = Statement(
        "effects",
        """
        SELECT e.pos, e.policy, e.decided_at, e.items FROM unnest($2) k(pos) JOIN effect e ON e.lane = $1 AND e.pos = k.pos
        ORDER BY e.pos
        """
    )
}
