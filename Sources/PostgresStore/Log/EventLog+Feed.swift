package import Postgres

/// How far a lane goes, as a reader that remembers its place needs to know.
package struct LaneExtent: Hashable, Sendable, RowDecodable {
    package var lane: Int32
    /// The highest position that was dropped; 0: none was.
    package var floor: Int64
    /// The newest position.
    package var end: Int64
    /// The log's present epoch.
    package var epoch: Int32
    /// Where the first of the epochs that followed the reader's began: what it read beyond was lost. nil: none followed.
    package var kept: Int64?

    package init(lane: Int32, floor: Int64, end: Int64, epoch: Int32, kept: Int64? = nil) {
        self.lane = lane
        self.floor = floor
        self.end = end
        self.epoch = epoch
        self.kept = kept
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        lane = try row.int4()
        floor = try row.int8()
        end = try row.int8()
        epoch = try row.int4()
        kept = try row.int8OrNull()
    }
}

/// A stretch of a lane: from behind `after` to `through`.
package struct LaneStretch: Hashable, Sendable {
    package var lane: Int32
    package var after: Int64
    package var through: Int64

    package init(lane: Int32, after: Int64, through: Int64) {
        self.lane = lane
        self.after = after
        self.through = through
    }
}

extension EventLog {
    /// All lanes in order, for a reader whose place is of this epoch.
    package static func extents(since epoch: Int32) -> Query<[LaneExtent]> { .list(extentsStatement, [.int4(epoch)]) }

    /// Facts of an app's orders within these stretches but for those of some sources, about in the order of their
    /// recording and in any case in that of their lanes.
    package static func orderFacts(
        app: Int32,
        within stretches: [LaneStretch],
        except sources: [Int32],
        limit: Int
    ) -> Query<[EventRow]> {
        .list(
            orderFactsStatement,
            [
                .int4Array(stretches.map(\.lane)), .int8Array(stretches.map(\.after)),
                .int8Array(stretches.map(\.through)), .int4(app), .int4Array(sources), .int8(Int64(limit)),
            ]
        )
    }

    private static let extentsStatement = Statement(
        "lane_extents",
        """
        SELECT h.lane, h.floor_pos,
          coalesce((SELECT e.pos FROM event e WHERE e.lane = h.lane ORDER BY e.pos DESC LIMIT 1), h.floor_pos),
          (SELECT i.epoch FROM installation i),
          (SELECT min(s.start_pos) FROM epoch_start s WHERE s.lane = h.lane AND s.epoch > $1)
        FROM lane_head h ORDER BY h.lane
        """
    )

    /// The clock that recorded them may have been set back: a fact counts as no older than those before it in its lane.
    private static let orderFactsStatement = Statement(
        "order_facts",
        """
        SELECT \(columns) FROM unnest($1, $2, $3) s(lane, after, through)
        CROSS JOIN LATERAL (
          SELECT * FROM event f
          WHERE f.lane = s.lane AND f.pos > s.after AND f.pos <= s.through
            AND f.app = $4 AND f.kind = 'o' AND f.source <> ALL ($5)
          ORDER BY f.pos LIMIT $6
        ) e
        ORDER BY max(e.recorded_at) OVER (PARTITION BY e.lane ORDER BY e.pos), e.lane, e.pos LIMIT $6
        """
    )
}
