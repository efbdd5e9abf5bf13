import Postgres
import PostgresStore
import Runtime
import Service
import TestSupport
import Tracking

/// What happens to databases.
extension Installation {
    /// Runs SQL on a connection of its own.
    func script(_ sql: String) async throws {
        let connection = try await database.connect(StoreSession.migrating)
        do { try await connection.runScript(sql) } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }

    func count(_ sql: String) async throws -> Int64 {
        try await pool.run(.value(Statement("test \(sql)", sql)) { (row) throws(PostgresError) in try row.int8() })
    }

    /// Runs `body` while somebody else holds a lane's head row.
    func holding(lane: Int32, _ body: () async throws -> Void) async throws {
        let connection = try await database.connect(StoreSession.migrating)
        try await connection.runScript("BEGIN; SELECT FROM lane_head WHERE lane = \(lane) FOR UPDATE")
        do {
            try await body()
            try await connection.runScript("COMMIT")
            await connection.close()
        } catch {
            await connection.close()
            throw error
        }
    }

    /// Runs `body` while the database lets nobody in.
    func away(_ body: () async throws -> Void) async throws {
        let name = database.url.prefix { $0 != "?" }.split(separator: "/").last ?? ""
        let url = try await TestCluster.shared.adminURL()
        let admin = try await PostgresConnection.open(on: TestLoop.shared, PostgresSettings(url: url))
        try await admin.runScript("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
        // A session that dies is gone only after a while, and one that was just let in appears only after a while.
        try await admin.runScript(
            """
            DO $$ BEGIN
              LOOP
                PERFORM pg_sleep(0.1), pg_stat_clear_snapshot();
                EXIT WHEN NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = '\(name)');
                PERFORM pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(name)';
              END LOOP;
            END $$
            """
        )
        do { try await body() } catch {
            try? await admin.runScript("ALTER DATABASE \(name) ALLOW_CONNECTIONS true")
            await admin.close()
            throw error
        }
        try await admin.runScript("ALTER DATABASE \(name) ALLOW_CONNECTIONS true")
        await admin.close()
    }

    /// Runs `body` beside an appender with a pool of its own, which waits that long for a connection.
    func appending<Value: Sendable>(
        _ settings: Appender.Settings = Appender.Settings(),
        clock: DatabaseClock = DatabaseClock(),
        patience: Duration = .seconds(10),
        _ body: @Sendable (Appender, Directory) async throws -> Value
    ) async throws -> Value {
        let loop = TestLoop.shared
        let pool = PostgresPool(
            loop: loop,
            settings: StoreSession.appending(database.url),
            size: settings.groups,
            acquireTimeout: patience
        )
        let appender = Appender(loop: loop, pool: pool, lanes: Self.lanes, settings: settings, clock: clock)
        let directory = try await directory()
        return try await beside([pool, appender]) { try await body(appender, directory) }
    }

    /// Order ids of one lane.
    static func orders(of lane: Int32, _ count: Int) -> [String] {
        Array((0...).lazy.map { "o\($0)" }.filter { self.lane(ofOrder: $0) == lane }.prefix(count))
    }

    static func lane(ofOrder order: String) -> Int32 {
        StreamAddress(app: app, kind: .order, stream: order).lane(of: lanes)
    }
}
