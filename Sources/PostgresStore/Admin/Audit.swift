package import Crypto
package import Postgres

/// Somebody read personal data or acted as staff.
package struct AuditRow: Hashable, Sendable, RowDecodable {
    package var lane: Int32
    package var at: Int64
    package var id: UUID128
    package var app: Int32
    /// The key's id, never a name.
    package var actor: String
    package var action: String
    package var stream: String
    package var reason: String?

    package init(
        lane: Int32,
        at: Int64,
        id: UUID128,
        app: Int32,
        actor: String,
        action: String,
        stream: String,
        reason: String? = nil
    ) {
        self.lane = lane
        self.at = at
        self.id = id
        self.app = app
        self.actor = actor
        self.action = action
        self.stream = stream
        self.reason = reason
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        lane = try row.int4()
        at = try row.timestamptz()
        id = try row.uuid()
        app = try row.int4()
        actor = try row.text()
        action = try row.text()
        stream = try row.text()
        reason = try row.textOrNull()
    }
}

package enum Audit {
    package static func insert(_ row: AuditRow) -> Write {
        Write(
            insertStatement,
            [
                .int4(row.lane), .int4(Int32(row.at / 86_400_000_000)), .timestamptz(row.at), .uuid(row.id),
                .int4(row.app), .text(row.actor), .text(row.action), .text(row.stream), .text(row.reason),
            ]
        )
    }

    /// What happened on a day (since 1970, UTC), oldest first.
    package static func of(day: Int32, app: Int32, limit: Int) -> Query<[AuditRow]> {
        .list(ofDayStatement, [.int4(day), .int4(app), .int8(Int64(limit))])
    }

    private static let insertStatement = Statement(
        "insert_audit",
        """
        INSERT INTO audit (lane, day, at, id, app, actor, action, stream, reason)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        """
    )

    private static let ofDayStatement = Statement(
        "audit_of_day",
        """
        SELECT lane, at, id, app, actor, action, stream, reason FROM audit
        WHERE day = $1 AND app = $2 ORDER BY at, id LIMIT $3
        """
    )
}
