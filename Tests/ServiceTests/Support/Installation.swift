import Postgres
import PostgresStore
import Service
import TestSupport
import Testing
import Tracking

/// A database with one app, its partner source `pos` and Doorstep's own sources: what several processes share.
struct Installation: Sendable {
    static let app: Int32 = 1
    static let lanes = Int(TestDatabase.lanes)
    /// Each takes a dozen connections, and the server has few processors.
    private static let seats = Seats(4)

    let database: TestDatabase
    /// For the test's own questions.
    let pool: PostgresPool
    let policy: Policy

    static func with<Value: Sendable>(
        policy: Policy = .prompt,
        _ body: @Sendable (Installation) async throws -> Value
    ) async throws -> Value {
        await seats.enter()
        defer { seats.leave() }
        return try await TestDatabase.with { database, pool in
            #expect(try await pool.run(Apps.save(name: "demo", config: "{}")) == app)
            for name in OwnSource.allCases.map(\.rawValue) + ["pos"] {
                _ = try await pool.run(Apps.saveSource(app: app, name: name, config: "{}"))
            }
            return try await body(Installation(database: database, pool: pool, policy: policy))
        }
    }

    /// What one process knows of apps and sources.
    func directory() async throws -> Directory {
        let directory = Directory()
        for row in try await pool.run(Apps.sources) {
            directory.add(Directory.Source(number: row.number, app: row.app, name: row.name))
        }
        directory.add(
            Directory.App(
                number: Self.app,
                name: "demo",
                bundleID: "com.example.demo",
                environment: .sandbox,
                policy: policy
            )
        )
        return directory
    }

    /// All facts of a lane, in order.
    func log(of lane: Int32) async throws -> [EventRow] {
        try await pool.run(EventLog.after(lane: lane, pos: 0, limit: 100_000))
    }

    func log() async throws -> [EventRow] {
        var rows: [EventRow] = []
        for lane in 0..<Int32(Self.lanes) { rows += try await log(of: lane) }
        return rows
    }
}

extension Policy {
    /// The rules with waits that a test can sit out.
    static var prompt: Policy {
        var policy = Policy()
        policy.maxStartAge = nil
        policy.tokenWait = .milliseconds(1)
        policy.spacing = .milliseconds(5)
        policy.retryBase = .milliseconds(10)
        policy.retryMaximum = .milliseconds(50)
        policy.startsPerTenMinutes = 1000
        policy.startsPerHour = 1000
        return policy
    }
}
