package import Postgres
package import Tracking

/// A stream that could not be folded and rests, from `fromVersion` on.
package struct ParkedRow: Hashable, Sendable, RowDecodable {
    package var lane: Int32
    package var app: Int32
    package var kind: StreamKind
    package var stream: String
    package var fromVersion: Int32
    package var fromPos: Int64
    package var since: Int64
    package var reason: String
    package var detail: String?

    package init(
        lane: Int32,
        app: Int32,
        kind: StreamKind,
        stream: String,
        fromVersion: Int32,
        fromPos: Int64,
        since: Int64,
        reason: String,
        detail: String? = nil
    ) {
        self.lane = lane
        self.app = app
        self.kind = kind
        self.stream = stream
        self.fromVersion = fromVersion
        self.fromPos = fromPos
        self.since = since
        self.reason = reason
        self.detail = detail
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        lane = try row.int4()
        app = try row.int4()
        kind = try row.kind()
        stream = try row.text()
        fromVersion = try row.int4()
        fromPos = try row.int8()
        since = try row.timestamptz()
        reason = try row.text()
        detail = try row.textOrNull()
    }
}

package enum ParkedStreams {
    /// Parks streams of one lane; one that is parked already keeps its first reason.
    package static func insert(lane: Int32, _ rows: [ParkedRow]) -> [Write] {
        .unless(
            rows.isEmpty,
            insertStatement,
            [
                .int4(lane), .int4Array(rows.map(\.app)), .charArray(rows.map(\.kind.rawValue)),
                .textArray(rows.map(\.stream)), .int4Array(rows.map(\.fromVersion)), .int8Array(rows.map(\.fromPos)),
                .timestamptzArray(rows.map(\.since)), .textArray(rows.map(\.reason)), .textArray(rows.map(\.detail)),
            ]
        )
    }

    package static func delete(lane: Int32, app: Int32, kind: StreamKind, stream: String) -> Write {
        Write(deleteStatement, [.int4(lane), .int4(app), .char(kind.rawValue), .text(stream)])
    }

    package static func of(lane: Int32) -> Query<[ParkedRow]> { .list(ofLaneStatement, [.int4(lane)]) }

    /// All lanes, of one app, by lane, kind and stream after the given ones.
    package static func list(
        app: Int32,
        afterLane lane: Int32 = -1,
        kind: UInt8 = 0,
        stream: String = "",
        limit: Int
    ) -> Query<[ParkedRow]> {
        .list(listStatement, [.int4(app), .int4(lane), .char(kind), .text(stream), .int8(Int64(limit))])
    }

    private static let columns = "lane, app, kind, stream, from_version, from_pos, since, reason, detail"

    private static let insertStatement = Statement(
        "park",
        """
        INSERT INTO parked (lane, app, kind, stream, from_version, from_pos, since, reason, detail)
        SELECT $1, u.* FROM unnest($2, $3, $4, $5, $6, $7, $8, $9) u
        ON CONFLICT (lane, app, kind, stream) DO NOTHING
        """
    )

    private static let deleteStatement = Statement(
        "unpark",
        "DELETE FROM parked WHERE lane = $1 AND app = $2 AND kind = $3 AND stream = $4"
    )

    private static let ofLaneStatement = Statement(
        "parked_of_lane",
        "SELECT \(columns) FROM parked WHERE lane = $1"
    )

    private static let listStatement = Statement(
        "parked_list",
        """
        SELECT \(columns) FROM parked WHERE app = $1 AND (lane, kind, stream) > ($2, $3, $4)
        ORDER BY lane, kind, stream LIMIT $5
        """
    )
}
