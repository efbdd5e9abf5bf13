package import Postgres
private import PostgresStore
private import Runtime

/// A fresh database for one test, with the schema and `lanes` lanes, dropped afterwards.
package struct TestDatabase: Sendable {
    package let url: String

    package static let lanes: Int32 = 8

    /// For `.enabled(if:)`: false only when there is no PostgreSQL to be had.
    package static var isAvailable: Bool { TestCluster.isAvailable }

    /// Runs `body` with a migrated database and a pool on it.
    package static func with<Value: Sendable>(
        connections: Int = 2,
        settings: @Sendable (String) -> PostgresSettings = StoreSession.durable,
        _ body: @Sendable (TestDatabase, PostgresPool) async throws -> Value
    ) async throws -> Value {
        let database = try await make(from: Templates.shared.migrated())
        do {
            let value = try await PostgresPool.with(
                loop: TestLoop.shared,
                settings: settings(database.url),
                size: connections
            ) { pool in try await body(database, pool) }
            try await database.drop()
            return value
        } catch {
            try? await database.drop()
            throw error
        }
    }

    /// Makes a database without a schema, or as a copy of `template`. Drop it when done.
    package static func make(
        from template: String = "template0",
        options: String = "ENCODING 'UTF8' LOCALE 'C'"
    ) async throws -> TestDatabase {
        let name = await Templates.shared.nextName()
        try await administer("CREATE DATABASE \(name) TEMPLATE \(template) \(options)")
        return TestDatabase(url: replacingDatabase(in: try await TestCluster.shared.adminURL(), with: name))
    }

    package func drop() async throws {
        try await Self.administer("DROP DATABASE \(databaseName(in: url)) WITH (FORCE)")
    }

    /// A connection of its own, to be closed by the caller.
    package func connect(
        _ settings: (String) -> PostgresSettings = StoreSession.durable
    ) async throws -> PostgresConnection {
        try await PostgresConnection.open(on: TestLoop.shared, settings(url))
    }

    fileprivate static func administer(_ sql: String) async throws {
        let url = try await TestCluster.shared.adminURL()
        let connection = try await PostgresConnection.open(on: TestLoop.shared, PostgresSettings(url: url))
        do { try await connection.runScript(sql) } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }
}

/// The database that fresh ones are copied from, and their names.
private actor Templates {
    static let shared = Templates()

    private var made: Task<String, any Error>?
    private var count = 0
    // Differs between processes that use one server.
    private let prefix = "doorstep_test_\(WallClock.microseconds)"

    func nextName() -> String {
        count += 1
        return "\(prefix)_\(count)"
    }

    func migrated() async throws -> String {
        let make = made ?? Task { try await Self.makeTemplate() }
        made = make
        return try await make.value
    }

    private static func makeTemplate() async throws -> String {
        let database = try await TestDatabase.make()
        let connection = try await database.connect(StoreSession.migrating)
        _ = try await Migrations.apply(on: connection, lanes: TestDatabase.lanes, now: WallClock.microseconds)
        await connection.close()
        return databaseName(in: database.url)
    }
}

private func databaseName(in url: String) -> String {
    let path = url.prefix { $0 != "?" }
    return String(path.split(separator: "/").last ?? "")
}

private func replacingDatabase(in url: String, with name: String) -> String {
    let query = url.drop { $0 != "?" }
    let path = url.prefix { $0 != "?" }
    guard let slash = path.lastIndex(of: "/") else { return url }
    return path[...slash] + name + query
}
