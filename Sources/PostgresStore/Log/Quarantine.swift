package import Crypto
package import Postgres
package import Tracking

/// A fact refused because another content stands under its id. Kept and counted, never folded.
package struct QuarantineRow: Hashable, Sendable, RowDecodable {
    package var lane: Int32
    package var key: UUID128
    package var print: UUID128
    package var app: Int32
    package var source: Int32
    /// Where the fact with the other content stands.
    package var firstPos: Int64
    package var times: Int32
    package var firstAt: Int64
    package var lastAt: Int64
    package var resolvedAt: Int64?
    package var keyID: Int32
    package var kind: StreamKind
    package var stream: String
    package var type: String
    package var id: String
    package var body: [UInt8]?

    package init(from row: inout PGRow) throws(PostgresError) {
        lane = try row.int4()
        key = try row.uuid()
        print = try row.uuid()
        app = try row.int4()
        source = try row.int4()
        firstPos = try row.int8()
        times = try row.int4()
        firstAt = try row.timestamptz()
        lastAt = try row.timestamptz()
        resolvedAt = try row.timestamptzOrNull()
        keyID = try row.int4()
        kind = try row.kind()
        stream = try row.text()
        type = try row.text()
        id = try row.text()
        body = try row.byteaOrNull()
    }
}

package enum Quarantine {
    /// Where a page of the list ended.
    package struct Cursor: Hashable, Sendable {
        package var lane: Int32
        package var key: UUID128
        package var print: UUID128

        package init(lane: Int32, key: UUID128, print: UUID128) {
            self.lane = lane
            self.key = key
            self.print = print
        }

        package static let start = Cursor(lane: -1, key: UUID128(hi: 0, lo: 0), print: UUID128(hi: 0, lo: 0))
    }

    /// What staff has not resolved yet, of one app, by key.
    package static func open(app: Int32, after cursor: Cursor = .start, limit: Int) -> Query<[QuarantineRow]> {
        .list(
            openStatement,
            [.int4(app), .int4(cursor.lane), .uuid(cursor.key), .uuid(cursor.print), .int8(Int64(limit))]
        )
    }

    package static func row(lane: Int32, key: UUID128, print: UUID128) -> Query<QuarantineRow?> {
        .first(rowStatement, [.int4(lane), .uuid(key), .uuid(print)])
    }

    /// Staff retried (as a new fact) or discarded it; answers whether it was open until now.
    package static func resolve(lane: Int32, key: UUID128, print: UUID128, at now: Int64) -> Query<Int> {
        .counting(resolveStatement, [.int4(lane), .uuid(key), .uuid(print), .timestamptz(now)])
    }

    private static let columns = """
        lane, key, print, app, source, first_pos, times, first_at, last_at, resolved_at, key_id, kind, stream, type,
          source_event_id, body
        """

    private static let openStatement = Statement(
        "open_quarantine",
        """
        SELECT \(columns) FROM quarantine WHERE app = $1 AND resolved_at IS NULL AND (lane, key, print) > ($2, $3, $4)
        ORDER BY lane, key, print LIMIT $5
        """
    )

    private static let rowStatement = Statement(
        "quarantine_row",
        "SELECT \(columns) FROM quarantine WHERE lane = $1 AND key = $2 AND print = $3"
    )

    private static let resolveStatement = Statement(
        "resolve_quarantine",
        """
        UPDATE quarantine SET resolved_at = $4
        WHERE lane = $1 AND key = $2 AND print = $3 AND resolved_at IS NULL
        """
    )
}
