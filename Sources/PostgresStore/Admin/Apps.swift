package import Postgres

/// An app by its small number. `config` is JSON text.
package struct AppRow: Hashable, Sendable, RowDecodable {
    package var number: Int32
    package var name: String
    package var config: String

    package init(from row: inout PGRow) throws(PostgresError) {
        number = try row.int4()
        name = try row.text()
        config = try row.text()
    }
}

/// A source of events by its small number. `config` is JSON text.
package struct SourceRow: Hashable, Sendable, RowDecodable {
    package var number: Int32
    package var app: Int32
    package var name: String
    package var config: String

    package init(from row: inout PGRow) throws(PostgresError) {
        number = try row.int4()
        app = try row.int4()
        name = try row.text()
        config = try row.text()
    }
}

/// A version of an app's policy, kept for ever. `body` is JSON text.
package struct PolicyRow: Hashable, Sendable, RowDecodable {
    package var app: Int32
    package var version: Int32
    package var activeFrom: Int64
    package var body: String

    package init(
        app: Int32,
        version: Int32,
        activeFrom: Int64,
        body: String
    ) {
        self.app = app
        self.version = version
        self.activeFrom = activeFrom
        self.body = body
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        app = try row.int4()
        version = try row.int4()
        activeFrom = try row.timestamptz()
        body = try row.text()
    }
}

/// Apps, their sources and their policies: few rows, read by every process at its start and on reload.
package enum Apps {
    package static let all = Query<[AppRow]>.list(
        Statement("apps", "SELECT app, name, config::text FROM app ORDER BY app")
    )

    package static let sources = Query<[SourceRow]>.list(
        Statement("sources", "SELECT source, app, name, config::text FROM source ORDER BY source")
    )

    /// All versions that were activated, or will be, oldest first.
    package static let policies = Query<[PolicyRow]>.list(
        Statement(
            "policies",
            """
            SELECT app, version, active_from, body::text FROM policy WHERE active_from IS NOT NULL ORDER BY app, version
            """
        )
    )

    /// Makes the app, or changes its configuration, and answers with its number. Two processes at once: `callAgain`.
    package static func save(name: String, config: String) -> Query<Int32> {
        .value(saveStatement, [.text(name), .text(config)]) { (row) throws(PostgresError) in try row.int4() }
    }

    /// As `save(name:config:)`, for a source of an app.
    package static func saveSource(app: Int32, name: String, config: String) -> Query<Int32> {
        .value(saveSourceStatement, [.int4(app), .text(name), .text(config)]) { (row) throws(PostgresError) in
            try row.int4()
        }
    }

    /// Versions never change: one that exists stays as it is, and the answer is 0.
    package static func insertPolicy(_ row: PolicyRow) -> Query<Int> {
        .counting(
            insertPolicyStatement,
            [.int4(row.app), .int4(row.version), .timestamptz(row.activeFrom), .text(row.body)]
        )
    }

    private static let saveStatement = Statement(
        "save_app",
        """
        INSERT INTO app (app, name, config) SELECT coalesce(max(a.app), 0) + 1, $1, $2::jsonb FROM app a
        ON CONFLICT (name) DO UPDATE SET config = excluded.config RETURNING app
        """
    )

    private static let saveSourceStatement = Statement(
        "save_source",
        """
        INSERT INTO source (source, app, name, config) SELECT coalesce(max(s.source), 0) + 1, $1, $2, $3::jsonb FROM source s
        ON CONFLICT (app, name) DO UPDATE SET config = excluded.config RETURNING source
        """
    )

    private static let insertPolicyStatement = Statement(
        "insert_policy",
        """
        INSERT INTO policy (app, version, active_from, body) VALUES ($1, $2, $3, $4::jsonb)
        ON CONFLICT (app, version) DO NOTHING
        """
    )
}
