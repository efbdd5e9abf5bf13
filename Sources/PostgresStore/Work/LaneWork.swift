package import Postgres

/// What waits in a lane.
package struct LaneWorkRow: Hashable, Sendable, RowDecodable {
    package var lane: Int32
    /// The projector's position.
    package var pos: Int64
    /// Facts beyond it.
    package var hasFacts: Bool
    package var hasDueSlots: Bool
    /// Claims whose deadline has passed without an outcome.
    package var hasLostClaims: Bool
    package var hasDueTimers: Bool
    package var hasRelays: Bool

    package init(from row: inout PGRow) throws(PostgresError) {
        lane = try row.int4()
        pos = try row.int8()
        hasFacts = try row.bool()
        hasDueSlots = try row.bool()
        hasLostClaims = try row.bool()
        hasDueTimers = try row.bool()
        hasRelays = try row.bool()
    }
}

/// The oldest fact of a lane that its projector has not read.
package struct LaneLag: Hashable, Sendable, RowDecodable {
    package var lane: Int32
    package var recordedAt: Int64

    package init(from row: inout PGRow) throws(PostgresError) {
        lane = try row.int4()
        recordedAt = try row.timestamptz()
    }
}

/// One question for all lanes of a process, so that polling costs one round trip.
package enum LaneWork {
    package static func pending(consumer: String = Checkpoints.view, lanes: [Int32], now: Int64) -> Query<[LaneWorkRow]>
    {
        .list(pendingStatement, [.text(consumer), .int4Array(lanes), .timestamptz(now)])
    }

    /// Lanes that are behind, with the receive time of what they have to read next.
    package static func lag(consumer: String = Checkpoints.view) -> Query<[LaneLag]> {
        .list(lagStatement, [.text(consumer)])
    }

    /// Positions are dense, so the next fact is the one at pos + 1. Scalar subqueries, because an EXISTS may be planned as
    /// a scan of the whole table.
    private static let pendingStatement = Statement(
        "pending_work",
        """
        SELECT c.lane, c.pos,
          (SELECT true FROM event e WHERE e.lane = c.lane AND e.pos = c.pos + 1) IS NOT NULL,
          (SELECT true FROM slot s WHERE s.lane = c.lane AND s.claim IS NULL AND s.due_at <= $3 LIMIT 1) IS NOT NULL,
          (SELECT true FROM slot s WHERE s.lane = c.lane AND s.claim IS NOT NULL AND s.until <= $3 LIMIT 1) IS NOT NULL,
          (SELECT true FROM timer t WHERE t.lane = c.lane AND t.due_at <= $3 LIMIT 1) IS NOT NULL,
          (SELECT true FROM relay r WHERE r.lane = c.lane LIMIT 1) IS NOT NULL
        FROM checkpoint c WHERE c.consumer = $1 AND c.lane = ANY($2) ORDER BY c.lane
        """
    )

    private static let lagStatement = Statement(
        "lane_lag",
        """
        SELECT lane, recorded_at FROM (
          SELECT c.lane, (SELECT e.recorded_at FROM event e WHERE e.lane = c.lane AND e.pos = c.pos + 1) AS recorded_at
          FROM checkpoint c WHERE c.consumer = $1 OFFSET 0) next
        WHERE recorded_at IS NOT NULL ORDER BY lane
        """
    )
}
