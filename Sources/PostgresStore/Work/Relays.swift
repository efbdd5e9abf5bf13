package import Postgres
package import Tracking

/// A relay's place in its lane: the fact that caused it, and its number there.
package struct RelayKey: Hashable, Sendable {
    package var pos: Int64
    package var number: Int32

    package init(pos: Int64, number: Int32) {
        self.pos = pos
        self.number = number
    }
}

/// A fact this lane owes to another one: written with the checkpoint, appended there, then deleted.
package struct RelayRow: Hashable, Sendable, RowDecodable {
    package var pos: Int64
    package var number: Int32
    package var toLane: Int32
    package var app: Int32
    package var kind: StreamKind
    package var stream: String
    package var type: String
    package var body: [UInt8]

    package init(
        pos: Int64,
        number: Int32,
        toLane: Int32,
        app: Int32,
        kind: StreamKind,
        stream: String,
        type: String,
        body: [UInt8]
    ) {
        self.pos = pos
        self.number = number
        self.toLane = toLane
        self.app = app
        self.kind = kind
        self.stream = stream
        self.type = type
        self.body = body
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        pos = try row.int8()
        number = try row.int4()
        toLane = try row.int4()
        app = try row.int4()
        kind = try row.kind()
        stream = try row.text()
        type = try row.text()
        body = try row.bytea()
    }
}

package enum Relays {
    package static func insert(lane: Int32, _ rows: [RelayRow]) -> [Write] {
        .unless(
            rows.isEmpty,
            insertStatement,
            [
                .int4(lane), .int8Array(rows.map(\.pos)), .int4Array(rows.map(\.number)),
                .int4Array(rows.map(\.toLane)),
                .int4Array(rows.map(\.app)), .charArray(rows.map(\.kind.rawValue)), .textArray(rows.map(\.stream)),
                .textArray(rows.map(\.type)), .byteaArray(rows.map(\.body)),
            ]
        )
    }

    package static func delete(lane: Int32, _ keys: [RelayKey]) -> [Write] {
        .unless(
            keys.isEmpty,
            deleteStatement,
            [.int4(lane), .int8Array(keys.map(\.pos)), .int4Array(keys.map(\.number))]
        )
    }

    /// What a lane owes, oldest first.
    package static func of(lane: Int32, limit: Int) -> Query<[RelayRow]> {
        .list(ofStatement, [.int4(lane), .int8(Int64(limit))])
    }

    private static let insertStatement = Statement(
        "insert_relays",
        """
        INSERT INTO relay (lane, pos, n, to_lane, app, kind, stream, type, body)
        SELECT $1, u.* FROM unnest($2, $3, $4, $5, $6, $7, $8, $9) u
        """
    )

    private static let deleteStatement = Statement(
        "delete_relays",
        "DELETE FROM relay r USING unnest($2, $3) k(pos, n) WHERE r.lane = $1 AND r.pos = k.pos AND r.n = k.n"
    )

    private static let ofStatement = Statement(
        "relays",
        "SELECT pos, n, to_lane, app, kind, stream, type, body FROM relay WHERE lane = $1 ORDER BY pos, n LIMIT $2"
    )
}
