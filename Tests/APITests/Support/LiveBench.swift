import Crypto
import Postgres
import PostgresStore
import Runtime
import Service
import TestSupport
import Tracking

@testable import API

/// The live ports over a database and an appender; nothing folds what they append.
struct LiveBench: Sendable {
    static let app: Int32 = 1
    private static let lanes = Int(TestDatabase.lanes)

    let service: LiveService
    let pool: PostgresPool
    let caller = Caller(key: AccessKey(id: "k", role: .device, secretDigest: [], apps: ["demo"]), app: "demo")

    static func with<Value: Sendable>(_ body: @Sendable (LiveBench) async throws -> Value) async throws -> Value {
        try await TestDatabase.with { database, pool in
            _ = try await pool.run(Apps.save(name: "demo", config: "{}"))
            let directory = Directory()
            directory.add(
                Directory.App(
                    number: app,
                    name: "demo",
                    bundleID: "com.example.demo",
                    environment: .sandbox,
                    policy: Policy()
                )
            )
            for name in OwnSource.allCases.map(\.rawValue) + ["pos"] {
                let number = try await pool.run(Apps.saveSource(app: app, name: name, config: "{}"))
                directory.add(Directory.Source(number: number, app: app, name: name))
            }
            let loop = TestLoop.shared
            let clock = DatabaseClock()
            let appending = PostgresPool(loop: loop, settings: StoreSession.appending(database.url), size: 1)
            let appender = Appender(loop: loop, pool: appending, lanes: lanes, clock: clock)
            let service = LiveService(
                pool: pool,
                appender: appender,
                directory: directory,
                sources: SourceRegistry(pool: pool, directory: directory),
                orders: OrderReader(pool: pool, directory: directory, clock: clock, lanes: lanes),
                devices: DeviceReader(pool: pool, lanes: lanes),
                settlements: Settlements(loop: loop),
                clock: clock,
                vault: Vault(key: Array(repeating: 7, count: 32)),
                metrics: Metrics(),
                lanes: lanes
            )
            return try await beside([appending, appender]) {
                try await body(LiveBench(service: service, pool: pool))
            }
        }
    }

    private static func beside<Value: Sendable>(
        _ services: [any Runtime.Service],
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for one in services { group.addTask(executorPreference: TestLoop.shared.tasks) { try await one.run() } }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    /// All facts of a stream, in order.
    func log(_ kind: StreamKind, _ stream: String) async throws -> [EventRow] {
        let address = StreamAddress(app: Self.app, kind: kind, stream: stream)
        return try await pool.run(
            EventLog.stream(
                lane: address.lane(of: Self.lanes),
                app: Self.app,
                kind: kind,
                stream: stream,
                streamKey: address.key
            )
        )
    }

    /// Apple called this value dead.
    func bury(_ token: String, _ kind: TokenKind, at moment: Int64) async throws {
        let id = TokenReader(pool: pool, vault: service.vault, lanes: Self.lanes)
            .id(of: token, kind: kind, environment: .sandbox)
        let lane = StreamAddress(app: Self.app, kind: .token, stream: id.value).lane(of: Self.lanes)
        let key = TokenKey(app: Self.app, id)
        let rows = key.map { [TokenOwnerRow(key: $0, device: DeviceID("phone"), claim: 1, deadAt: moment)] } ?? []
        _ = try await pool.runAll(TokenOwners.save(lane: lane, rows))
    }
}
