package import Postgres
package import Tracking

/// A slot that may be claimed.
package struct DueSlot: Hashable, Sendable, RowDecodable {
    package var key: SlotKey
    package var rev: Int32
    package var attempt: Int32
    package var verb: Verb
    package var dueAt: Int64
    package var expiresAt: Int64?

    package init(from row: inout PGRow) throws(PostgresError) {
        key = try SlotKey(from: &row)
        rev = try row.int4()
        attempt = try row.int4()
        verb = try row.verb()
        dueAt = try row.timestamptz()
        expiresAt = try row.timestamptzOrNull()
    }
}

/// The sender's side of the slots.
package enum Claims {
    /// Slots that are due and nobody's, earliest first.
    package static func due(lane: Int32, now: Int64, limit: Int) -> Query<[DueSlot]> {
        .list(dueStatement, [.int4(lane), .timestamptz(now), .int8(Int64(limit))])
    }

    /// Claims whose deadline has passed: their outcome is unknown.
    package static func lost(lane: Int32, now: Int64, limit: Int) -> Query<[SlotRow]> {
        .list(lostStatement, [.int4(lane), .timestamptz(now), .int8(Int64(limit))])
    }

    private static let dueStatement = Statement(
        "due_slots",
        """
        SELECT s.app, s.order_id, s.device, s.incarnation, s.target, s.rev, s.attempt, s.verb, s.due_at, s.expires_at
        FROM slot s
        WHERE s.lane = $1 AND s.claim IS NULL AND s.due_at <= $2 ORDER BY s.due_at LIMIT $3
        """
    )

    private static let lostStatement = Statement(
        "lost_slots",
        """
        SELECT \(Slots.columns) FROM slot s
        WHERE s.lane = $1 AND s.claim IS NOT NULL AND s.until <= $2 ORDER BY s.until LIMIT $3
        """
    )
}
