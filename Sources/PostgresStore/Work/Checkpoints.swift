package import Postgres

/// How far a consumer has read a lane.
package struct CheckpointRow: Hashable, Sendable, RowDecodable {
    package var lane: Int32
    /// Of the last fact read.
    package var pos: Int64
    package var term: Int64
    /// The fact under work when a process died, if it was written down before a retry.
    package var suspectPos: Int64?
    package var attempts: Int32

    package init(from row: inout PGRow) throws(PostgresError) {
        lane = try row.int4()
        pos = try row.int8()
        term = try row.int8()
        suspectPos = try row.int8OrNull()
        attempts = try row.int4()
    }
}

/// Where readers stand. The position moves with what follows from it, in one transaction.
package enum Checkpoints {
    /// The projector's name.
    package static let view = "view"

    package static func read(consumer: String = view, lanes: [Int32]) -> Query<[CheckpointRow]> {
        .list(readStatement, [.text(consumer), .int4Array(lanes)])
    }

    /// The first statement of every projector transaction: fails the whole transaction (`isLaneLost`) unless the lane
    /// stands at `from` in our term.
    package static func advance(
        lane: Int32,
        consumer: String = view,
        term: Int64,
        from: Int64,
        to: Int64
    ) -> Write {
        Write(advanceStatement, [.int4(lane), .text(consumer), .int8(term), .int8(from), .int8(to)])
    }

    /// Writes down which fact is about to be tried again after a crash; answers how often it has been, nil when the lane
    /// is not ours. Must be durable before the attempt.
    package static func suspect(lane: Int32, consumer: String = view, term: Int64, pos: Int64) -> Query<Int32?> {
        Query(suspectStatement, [.int4(lane), .text(consumer), .int8(term), .int8(pos)]) {
            (rows) throws(PostgresError) in
            try rows.decodeFirst { (row) throws(PostgresError) in try row.int4() }
        }
    }

    /// Makes a consumer's checkpoints where it has none, at `pos`.
    package static func create(consumer: String, lanes: [Int32], pos: Int64 = 0) -> Write {
        Write(createStatement, [.text(consumer), .int4Array(lanes), .int8(pos)])
    }

    private static let readStatement = Statement(
        "checkpoints",
        """
        SELECT lane, pos, term, suspect_pos, attempts FROM checkpoint
        WHERE consumer = $1 AND lane = ANY($2) ORDER BY lane
        """
    )

    private static let advanceStatement = Statement("advance", "SELECT advance($1, $2, $3, $4, $5)")

    private static let suspectStatement = Statement(
        "suspect",
        """
        UPDATE checkpoint SET suspect_pos = $4, attempts = CASE WHEN suspect_pos = $4 THEN attempts + 1 ELSE 1 END
        WHERE lane = $1 AND consumer = $2 AND term = $3 RETURNING attempts
        """
    )

    private static let createStatement = Statement(
        "create_checkpoints",
        """
        INSERT INTO checkpoint (lane, consumer, pos, term) SELECT l, $1, $3, 0 FROM unnest($2) l
        ON CONFLICT (lane, consumer) DO NOTHING
        """
    )
}
