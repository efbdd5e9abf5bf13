package import Crypto
package import Postgres
package import Tracking

/// A fact as it stands in the log. Times are microseconds since 1970 (UTC).
package struct EventRow: Hashable, Sendable, RowDecodable {
    package var lane: Int32
    package var version: Int32
    package var pos: Int64
    /// As sent.
    package var occurredAt: Int64?
    /// Database clock.
    package var recordedAt: Int64
    package var app: Int32
    package var source: Int32
    /// 0: the body is not encrypted.
    package var keyID: Int32
    package var flags: Int32
    package var kind: StreamKind
    package var stream: String
    package var type: String
    /// The source's own id of the event.
    package var id: String
    package var body: [UInt8]?
    package var trace: [UInt8]?
    package var actor: String?

    package init(from row: inout PGRow) throws(PostgresError) {
        lane = try row.int4()
        version = try row.int4()
        pos = try row.int8()
        occurredAt = try row.timestamptzOrNull()
        recordedAt = try row.timestamptz()
        app = try row.int4()
        source = try row.int4()
        keyID = try row.int4()
        flags = try row.int4()
        kind = try row.kind()
        stream = try row.text()
        type = try row.text()
        id = try row.text()
        body = try row.byteaOrNull()
        trace = try row.byteaOrNull()
        actor = try row.textOrNull()
    }
}

/// Where a stream begins and ends in its lane.
package struct StreamHead: Hashable, Sendable, RowDecodable {
    package var key: UUID128
    package var version: Int32
    package var firstPos: Int64
    package var lastPos: Int64

    package init(from row: inout PGRow) throws(PostgresError) {
        key = try row.uuid()
        version = try row.int4()
        firstPos = try row.int8()
        lastPos = try row.int8()
    }
}

extension EventLog {
    /// The facts of a lane that follow a position. Check them with `requireNoHole`.
    package static func after(lane: Int32, pos: Int64, limit: Int) -> Query<[EventRow]> {
        .list(afterStatement, [.int4(lane), .int8(pos), .int8(Int64(limit))])
    }

    /// Facts at given positions of a lane, in order.
    package static func at(lane: Int32, positions: [Int64]) -> Query<[EventRow]> {
        .list(atStatement, [.int4(lane), .int8Array(positions)])
    }

    /// The facts of one stream after a position, in order.
    package static func stream(
        lane: Int32,
        app: Int32,
        kind: StreamKind,
        stream: String,
        streamKey: UUID128,
        after pos: Int64 = 0,
        limit: Int = 10_000
    ) -> Query<[EventRow]> {
        .list(
            streamStatement,
            [
                .int4(lane), .int4(app), .char(kind.rawValue), .text(stream), .uuid(streamKey), .int8(pos),
                .int8(Int64(limit)),
            ]
        )
    }

    /// The bytes of a fact as they were received, sealed, for sources that keep them.
    package static func raw(lane: Int32, pos: Int64) -> Query<[UInt8]?> {
        Query(rawStatement, [.int4(lane), .int8(pos)]) { (rows) throws(PostgresError) in
            try rows.decodeFirst { (row) throws(PostgresError) in try row.byteaOrNull() } ?? nil
        }
    }

    /// Heads of the streams that exist.
    package static func heads(lane: Int32, keys: [UUID128]) -> Query<[StreamHead]> {
        .list(headsStatement, [.int4(lane), .uuidArray(keys)])
    }

    /// Positions are dense: the fact after `pos` is `pos` + 1, or the log is damaged and the lane must stop.
    package static func requireNoHole(_ rows: [EventRow], after pos: Int64) throws(StoreError) {
        var expected = pos
        for row in rows {
            expected += 1
            if row.pos != expected {
                throw StoreError(.hole, "lane \(row.lane): \(row.pos) stands where \(expected) must")
            }
        }
    }

    static let columns = """
        e.lane, e.version, e.pos, e.occurred_at, e.recorded_at, e.app, e.source, e.key_id, e.flags, e.kind, e.stream, e.type,
          e.source_event_id, e.body, e.trace, e.actor
        """

    private static let afterStatement = Statement(
        "events_after",
        "SELECT \(columns) FROM event e WHERE e.lane = $1 AND e.pos > $2 ORDER BY e.pos LIMIT $3"
    )

    private static let atStatement = Statement(
        "events_at",
        "SELECT \(columns) FROM unnest($2) k(pos) JOIN event e ON e.lane = $1 AND e.pos = k.pos ORDER BY e.pos"
    )

    /// The head's positions leave only the ranges the stream lies in.
    private static let streamStatement = Statement(
        "stream_events",
        """
        SELECT \(columns) FROM event e
        WHERE e.lane = $1 AND e.app = $2 AND e.kind = $3 AND e.stream = $4 AND e.pos > $6
          AND e.pos >= (SELECT h.first_pos FROM stream_head h WHERE h.lane = $1 AND h.stream_key = $5)
          AND e.pos <= (SELECT h.last_pos FROM stream_head h WHERE h.lane = $1 AND h.stream_key = $5)
        ORDER BY e.pos LIMIT $7
        """
    )

    private static let rawStatement = Statement(
        "raw_event",
        "SELECT e.raw FROM event e WHERE e.lane = $1 AND e.pos = $2"
    )

    private static let headsStatement = Statement(
        "stream_heads",
        """
        SELECT h.stream_key, h.version, h.first_pos, h.last_pos
        FROM unnest($2) k(key) JOIN stream_head h ON h.lane = $1 AND h.stream_key = k.key
        """
    )
}
