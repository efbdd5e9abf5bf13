package import Postgres
package import Runtime
package import Service

/// What the live ports share: the service's parts as this process holds them.
package struct LiveService: Sendable {
    package var pool: PostgresPool
    package var appender: Appender
    package var directory: Directory
    package var sources: SourceRegistry
    package var orders: OrderReader
    package var devices: DeviceReader
    package var settlements: Settlements
    package var clock: DatabaseClock
    package var vault: Vault
    package var metrics: Metrics
    package var lanes: Int

    package init(
        pool: PostgresPool,
        appender: Appender,
        directory: Directory,
        sources: SourceRegistry,
        orders: OrderReader,
        devices: DeviceReader,
        settlements: Settlements,
        clock: DatabaseClock,
        vault: Vault,
        metrics: Metrics,
        lanes: Int
    ) {
        self.pool = pool
        self.appender = appender
        self.directory = directory
        self.sources = sources
        self.orders = orders
        self.devices = devices
        self.settlements = settlements
        self.clock = clock
        self.vault = vault
        self.metrics = metrics
        self.lanes = lanes
    }

    /// The number of the caller's app. Keys name configured apps only; one that was removed is as good as away.
    func app(_ caller: Caller) throws(Unavailable) -> Directory.App {
        guard let app = directory.app(named: caller.app) else { throw Unavailable(.databaseUnavailable) }
        return app
    }

    /// Runs a read; whatever the database says against it, the caller may come back.
    func reading<Value>(_ body: () async throws -> Value) async throws(Unavailable) -> Value {
        do {
            return try await body()
        } catch {
            throw Unavailable(.databaseUnavailable)
        }
    }

    /// Appends facts of our own and returns once all are committed.
    func append(_ facts: [NewFact]) async throws(Unavailable) {
        for outcome in await appender.append(facts) {
            if case .failed(let failure) = outcome { throw Unavailable(failure) }
        }
    }
}

extension Unavailable {
    init(_ failure: AppendFailure) {
        switch failure {
        case .overloaded, .busy: self.init(Code.overloaded)
        case .databaseUnavailable, .unstorable: self.init(Code.databaseUnavailable)
        }
    }
}
