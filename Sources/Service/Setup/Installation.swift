internal import JSONText
package import Postgres
internal import PostgresStore
internal import Tracking

/// Keeps the directory and the database's small tables in step: apps, sources, policies.
package struct Installation: Sendable {
    private let pool: PostgresPool
    private let directory: Directory
    private let clock: DatabaseClock

    package init(pool: PostgresPool, directory: Directory, clock: DatabaseClock) {
        self.pool = pool
        self.directory = directory
        self.clock = clock
    }

    /// Writes the configured apps, their own sources and their policies, and reads everything into the directory.
    ///
    /// Policies are immutable: a changed one becomes the next version, active from now on.
    package func register(_ apps: [AppSettings]) async throws {
        for app in apps {
            let number = try await pool.run(Apps.save(name: app.name, config: Self.config(app)))
            for source in OwnSource.allCases { try await save(source.rawValue, app: number) }
            try await register(app.policy, app: number)
        }
        try await load()
    }

    /// Reads what other processes wrote.
    package func load() async throws {
        let (apps, sources, policies) = try await pool.run(Apps.all, Apps.sources, Apps.policies)
        for row in sources { directory.add(Directory.Source(number: row.number, app: row.app, name: row.name)) }
        for row in apps {
            guard let config = try? JSON.parse(Array(row.config.utf8)) else { continue }
            let active = policies.last { $0.app == row.number && $0.activeFrom <= clock.now }
            var policy = active.flatMap { try? JSON.parse(Array($0.body.utf8)) }.map { PolicyCodec.policy($0).policy }
            policy?.version = active?.version ?? 1
            directory.add(
                Directory.App(
                    number: row.number,
                    name: row.name,
                    bundleID: config["bundleId"]?.stringValue ?? "",
                    attributesType: config["attributesType"]?.stringValue ?? "",
                    environment: config["environment"]?.stringValue.flatMap { APNsEnvironment(name: $0) }
                        ?? .production,
                    policy: policy ?? Policy()
                )
            )
        }
    }

    /// The source of this name; made when it is heard of for the first time.
    package func source(named name: String, app: Int32) async throws -> Directory.Source {
        if let known = directory.source(named: name, app: app) { return known }
        return try await save(name, app: app)
    }

    @discardableResult
    private func save(_ name: String, app: Int32) async throws(PostgresError) -> Directory.Source {
        var attempt = 0
        while true {
            do {
                let number = try await pool.run(Apps.saveSource(app: app, name: name, config: "{}"))
                let source = Directory.Source(number: number, app: app, name: name)
                directory.add(source)
                return source
            } catch {
                attempt += 1
                guard error.remedy == .callAgain, attempt < 10 else { throw error }
            }
        }
    }

    private func register(_ policy: Policy, app: Int32) async throws {
        let body = String(decoding: PolicyCodec.json(policy).canonical(), as: UTF8.self)
        let newest = try await pool.run(Apps.policies).last { $0.app == app }
        if let newest, let stored = try? JSON.parse(Array(newest.body.utf8)), stored == PolicyCodec.json(policy) {
            return
        }
        let version = (newest?.version ?? 0) + 1
        _ = try await pool.run(
            Apps.insertPolicy(PolicyRow(app: app, version: version, activeFrom: clock.now, body: body))
        )
    }

    private static func config(_ app: AppSettings) -> String {
        let config: JSON = [
            "bundleId": .string(app.bundleID), "teamId": .string(app.teamID),
            "attributesType": .string(app.attributesType), "environment": .string(app.environment.name),
        ]
        return String(decoding: config.serialized(), as: UTF8.self)
    }
}
