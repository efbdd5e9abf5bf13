package import Postgres

/// A caller's key: never the secret, only its keyed hash.
package struct AccessKeyRow: Hashable, Sendable, RowDecodable {
    /// The middle part of `dk_ROLE_ID_SECRET`.
    package var id: String
    package var role: String
    package var hash: [UInt8]
    /// What it is bound to.
    package var apps: [Int32]
    /// Empty: to no source in particular.
    package var sources: [Int32]
    package var note: String
    package var createdAt: Int64
    package var revokedAt: Int64?

    package init(
        id: String,
        role: String,
        hash: [UInt8],
        apps: [Int32],
        sources: [Int32],
        note: String,
        createdAt: Int64,
        revokedAt: Int64? = nil
    ) {
        self.id = id
        self.role = role
        self.hash = hash
        self.apps = apps
        self.sources = sources
        self.note = note
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        id = try row.text()
        role = try row.text()
        hash = try row.bytea()
        apps = try row.int4Array()
        sources = try row.int4Array()
        note = try row.text()
        createdAt = try row.timestamptz()
        revokedAt = try row.timestamptzOrNull()
    }
}

package enum AccessKeys {
    /// All keys, revoked ones too, by id.
    package static let all = Query<[AccessKeyRow]>.list(
        Statement("access_keys", "SELECT \(columns) FROM access_key ORDER BY id")
    )

    package static func find(id: String) -> Query<AccessKeyRow?> { .first(findStatement, [.text(id)]) }

    /// Fails with 23505 when the id exists: draw another.
    package static func insert(_ row: AccessKeyRow) -> Write {
        Write(
            insertStatement,
            [
                .text(row.id), .text(row.role), .bytea(row.hash), .int4Array(row.apps), .int4Array(row.sources),
                .text(row.note), .timestamptz(row.createdAt),
            ]
        )
    }

    /// As `insert`, or replaces the key's hash and bindings: for keys that come from a file.
    package static func save(_ row: AccessKeyRow) -> Write {
        Write(
            saveStatement,
            [
                .text(row.id), .text(row.role), .bytea(row.hash), .int4Array(row.apps), .int4Array(row.sources),
                .text(row.note), .timestamptz(row.createdAt),
            ]
        )
    }

    /// Answers 1 when the key was valid until now.
    package static func revoke(id: String, at now: Int64) -> Query<Int> {
        .counting(revokeStatement, [.text(id), .timestamptz(now)])
    }

    private static let columns = "id, role, hash, apps, sources, note, created_at, revoked_at"

    private static let findStatement = Statement("access_key", "SELECT \(columns) FROM access_key WHERE id = $1")

    private static let insertion = """
        INSERT INTO access_key (id, role, hash, apps, sources, note, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
        """

    private static let insertStatement = Statement("insert_access_key", insertion)

    private static let saveStatement = Statement(
        "save_access_key",
        """
        \(insertion)
        ON CONFLICT (id) DO UPDATE SET role = excluded.role, hash = excluded.hash, apps = excluded.apps,
          sources = excluded.sources, note = excluded.note, revoked_at = NULL
        """
    )

    private static let revokeStatement = Statement(
        "revoke_access_key",
        "UPDATE access_key SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL"
    )
}
