package import Postgres

/// Brings a database to the schema this program knows, and checks that it is there.
package enum Migrations {
    /// What `check` and `apply` find out about a database.
    package struct Installation: Hashable, Sendable {
        package let lanes: Int32
        package let hashVersion: Int32
        package let epoch: Int32
        /// Whether the tables are spread over a cluster.
        package let isCitus: Bool
    }

    /// Applies what is missing, makes the first ranges, and returns the steps it applied.
    ///
    /// Safe to run from several processes: the second waits for the first. `lanes` matters to an empty database only; a
    /// made one must have as many, or the call throws `lanesDiffer`. `now` is in microseconds since 1970.
    package static func apply(
        on connection: PostgresConnection,
        lanes: Int32? = nil,
        now: Int64
    ) async throws(StoreError) -> [Migration] {
        try await checkServer(connection)
        // One migrator at a time. The lock is the session's, on the node that all migrators speak to.
        try await script(connection, "SELECT pg_advisory_lock(\(lockKey))")
        let applied: [Migration]
        do throws(StoreError) {
            try await script(connection, bookkeeping)
            applied = try await applyMissing(on: connection, lanes: lanes ?? 64)
            try await script(connection, "SET search_path = doorstep")
            let installation = try await check(connection)
            if let lanes, lanes != installation.lanes {
                throw StoreError(.lanesDiffer, "the database has \(installation.lanes) lanes")
            }
            try await Partitions.extend(on: connection, now: now)
        } catch {
            try? await script(connection, "SELECT pg_advisory_unlock(\(lockKey))")
            throw error
        }
        try await script(connection, "SELECT pg_advisory_unlock(\(lockKey))")
        return applied
    }

    /// Whether the database is what this program needs; run at every start.
    package static func check(_ session: some PostgresSession) async throws(StoreError) -> Installation {
        try await checkServer(session)
        try compare(await applied(session), with: Migration.all)
        return try await call { () async throws(PostgresError) in
            try await session.run(installation)
        }
    }

    private static func applyMissing(
        on connection: PostgresConnection,
        lanes: Int32
    ) async throws(StoreError) -> [Migration] {
        let known = try await applied(connection)
        let missing = Migration.all.dropFirst(known.count)
        try compare(known, with: Array(Migration.all.prefix(known.count)))
        for step in missing {
            // Statements of one script are one transaction.
            let text = """
                SET LOCAL search_path = doorstep;
                SET LOCAL doorstep.lanes = \(lanes);
                \(String(decoding: step.sql, as: UTF8.self))
                INSERT INTO migration (number, name, digest, applied_at)
                VALUES (\(step.number), '\(step.name)', '\\x\(step.digestText)', now());
                """
            try await script(connection, text)
        }
        return Array(missing)
    }

    private struct Applied {
        let number: Int32
        let digest: [UInt8]
    }

    private static func applied(_ session: some PostgresSession) async throws(StoreError) -> [Applied] {
        let rows = try await call { () async throws(PostgresError) -> [Applied]? in
            guard try await session.run(migrationTableExists) else { return nil }
            return try await session.run(appliedMigrations)
        }
        guard let rows else { throw StoreError(.notMigrated, "the database is empty") }
        return rows
    }

    private static func compare(_ applied: [Applied], with known: [Migration]) throws(StoreError) {
        for (row, step) in zip(applied, known) where row.number != step.number || row.digest != step.digest {
            throw StoreError(.changedMigration, "migration \(row.number) was applied with another text")
        }
        if applied.count < known.count {
            throw StoreError(.notMigrated, "\(known.count - applied.count) migrations are missing")
        }
        if applied.count > known.count {
            throw StoreError(.newerSchema, "the database is \(applied.count - known.count) migrations ahead")
        }
    }

    private static func checkServer(_ session: some PostgresSession) async throws(StoreError) {
        let server = try await call { () async throws(PostgresError) in try await session.run(serverFacts) }
        if server.version < 150_000 { throw StoreError(.oldServer, "PostgreSQL 15 or later is needed") }
        if server.encoding != "UTF8" { throw StoreError(.wrongEncoding, "the encoding is \(server.encoding)") }
        if server.collation != "C" { throw StoreError(.wrongCollation, "LC_COLLATE is \(server.collation)") }
    }

    // MARK: - Statements

    /// "doorstep" read as a number: any constant that others are unlikely to lock.
    private static let lockKey: Int64 = 0x646F_6F72_7374_6570

    private static let bookkeeping = """
        CREATE SCHEMA IF NOT EXISTS doorstep;
        CREATE TABLE IF NOT EXISTS doorstep.migration (
          number int PRIMARY KEY, name text NOT NULL, digest bytea NOT NULL, applied_at timestamptz NOT NULL);
        """

    private static let serverFacts = Query(
        Statement(
            "server_facts",
            """
            SELECT current_setting('server_version_num')::int4, pg_encoding_to_char(encoding)::text, datcollate::text
            FROM pg_database WHERE datname = current_database()
            """
        )
    ) { (rows) throws(PostgresError) in
        try rows.decodeOne { (row) throws(PostgresError) in
            (version: try row.int4(), encoding: try row.text(), collation: try row.text())
        }
    }

    private static let migrationTableExists = Query(
        Statement("migration_table_exists", "SELECT to_regclass('doorstep.migration') IS NOT NULL")
    ) { (rows) throws(PostgresError) in
        try rows.decodeOne { (row) throws(PostgresError) in try row.bool() }
    }

    private static let appliedMigrations = Query(
        Statement("applied_migrations", "SELECT number, digest FROM doorstep.migration ORDER BY number")
    ) { (rows) throws(PostgresError) in
        try rows.decode { (row) throws(PostgresError) in Applied(number: try row.int4(), digest: try row.bytea()) }
    }

    private static let installation = Query(
        Statement(
            "installation",
            """
            SELECT lanes, hash_version, epoch, EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
            FROM doorstep.installation
            """
        )
    ) { (rows) throws(PostgresError) in
        try rows.decodeOne { (row) throws(PostgresError) in
            Installation(
                lanes: try row.int4(),
                hashVersion: try row.int4(),
                epoch: try row.int4(),
                isCitus: try row.bool()
            )
        }
    }
}

private func script(_ connection: PostgresConnection, _ sql: String) async throws(StoreError) {
    try await call { () async throws(PostgresError) in try await connection.runScript(sql) }
}

/// Turns a failed call into the module's error.
func call<Value>(_ body: () async throws(PostgresError) -> Value) async throws(StoreError) -> Value {
    do { return try await body() } catch { throw StoreError(error) }
}
