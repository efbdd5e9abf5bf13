package import Crypto
package import Postgres

/// A lane and the term in which it is ours; nil: somebody else has it.
package struct LaneTerm: Hashable, Sendable, RowDecodable {
    package var lane: Int32
    package var term: Int64?

    package init(from row: inout PGRow) throws(PostgresError) {
        lane = try row.int4()
        term = try row.int8OrNull()
    }
}

/// Who works a lane, and until when if it does not renew.
package struct LaneLease: Hashable, Sendable, RowDecodable {
    package var lane: Int32
    package var term: Int64
    package var owner: UUID128?
    package var expiresAt: Int64

    package init(from row: inout PGRow) throws(PostgresError) {
        lane = try row.int4()
        term = try row.int8()
        owner = try row.uuidOrNull()
        expiresAt = try row.timestamptz()
    }
}

/// Who works which lane: one owner per lane and role, identified by (owner, term). Leases gate decisions and claims,
/// never appends.
package enum Leases {
    /// The role of projector, sender and timers together.
    package static let worker = UInt8(ascii: "w")

    /// Takes or keeps lanes, all in one transaction. A new owner gets a new term, written to the lane's checkpoints
    /// too. `now` is the database clock, `span` in microseconds.
    package static func take(
        lanes: [Int32],
        role: UInt8 = worker,
        owner: UUID128,
        now: Int64,
        span: Int64
    ) -> Query<[LaneTerm]> {
        // Sorted, so that two processes never wait for each other.
        .list(
            takeStatement,
            [.int4Array(lanes.sorted()), .char(role), .uuid(owner), .timestamptz(now), .int8(span)]
        )
    }

    /// Gives lanes up at once; answers how many were still ours.
    package static func release(lanes: [Int32], role: UInt8 = worker, owner: UUID128, now: Int64) -> Query<Int> {
        .counting(releaseStatement, [.int4Array(lanes), .char(role), .uuid(owner), .timestamptz(now)])
    }

    package static func all(role: UInt8 = worker) -> Query<[LaneLease]> { .list(allStatement, [.char(role)]) }

    private static let takeStatement = Statement(
        "take_lanes",
        "SELECT l, take_lane(l, $2, $3, $4, $5 * interval '1 microsecond') FROM unnest($1) l"
    )

    private static let releaseStatement = Statement(
        "release_lanes",
        """
        UPDATE lane_lease SET expires_at = $4
        WHERE lane = ANY($1) AND role = $2 AND owner = $3 AND expires_at > $4
        """
    )

    private static let allStatement = Statement(
        "lane_leases",
        "SELECT lane, term, owner, expires_at FROM lane_lease WHERE role = $1 ORDER BY lane"
    )
}
