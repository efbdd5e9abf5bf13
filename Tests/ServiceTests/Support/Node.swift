import Postgres
import PostgresStore
import Runtime
import Service
import TestSupport
import Tracking

/// One process on an installation: its appender, its pipeline and its readers, without the API.
struct Node: Sendable {
    let installation: Installation
    let directory: Directory
    let clock: DatabaseClock
    let appender: Appender
    let pipeline: Pipeline
    let orders: OrderReader
    let devices: DeviceReader
    let settlements: Settlements
    /// What was reported as to be tried again.
    let troubles: Troubles
    private let services: [any Service]

    init(_ installation: Installation, gateway: any PushGateway, settings: Pipeline.Settings = .prompt) async throws {
        let loop = TestLoop.shared
        let url = installation.database.url
        self.installation = installation
        directory = try await installation.directory()
        clock = DatabaseClock()
        let reading = PostgresPool(loop: loop, settings: StoreSession.durable(url), size: 1)
        let appending = PostgresPool(loop: loop, settings: StoreSession.appending(url), size: 2)
        let durable = PostgresPool(loop: loop, settings: StoreSession.durable(url), size: 2)
        let projecting = PostgresPool(loop: loop, settings: StoreSession.projecting(url), size: 2)
        appender = Appender(loop: loop, pool: appending, lanes: Installation.lanes, clock: clock)
        settlements = Settlements(loop: loop)
        let troubles = Troubles()
        self.troubles = troubles
        pipeline = Pipeline(
            Pipeline.Parts(
                loop: loop,
                projecting: projecting,
                durable: durable,
                appender: appender,
                directory: directory,
                sources: SourceRegistry(pool: reading, directory: directory),
                vault: .test,
                gateway: gateway,
                clock: clock,
                settlements: settlements,
                lanes: Installation.lanes
            ),
            settings: settings,
            pushed: { _ in },
            failed: { operation, error in troubles.note("\(operation): \(error)") }
        )
        orders = OrderReader(pool: reading, directory: directory, clock: clock, lanes: Installation.lanes)
        devices = DeviceReader(pool: reading, lanes: Installation.lanes)
        services = [reading, appending, durable, projecting, appender, pipeline]
    }

    /// Runs `body` beside a whole process, which is stopped in order afterwards.
    static func with<Value: Sendable>(
        _ installation: Installation,
        gateway: any PushGateway,
        settings: Pipeline.Settings = .prompt,
        _ body: @Sendable (Node) async throws -> Value
    ) async throws -> Value {
        let node = try await Node(installation, gateway: gateway, settings: settings)
        return try await beside(node.services) { try await body(node) }
    }

    func snapshot(_ order: String) async throws -> OrderSnapshot? {
        try await orders.order(app: Installation.app, OrderID(order))
    }

    /// Waits until everything known of these orders is done.
    func settle(_ ids: [String]) async throws {
        try await eventually("settled") {
            for id in ids {
                guard let snapshot = try await snapshot(id) else { continue }
                guard snapshot.settledVersion == snapshot.version else { return false }
            }
            return true
        }
    }

    /// Waits for a condition that must come true; gives up after half a minute, which no test measures.
    func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
        for _ in 0..<3000 {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw NeverCame(what: what, troubles: troubles.all)
    }
}

struct NeverCame: Error {
    let what: String
    let troubles: [String]
}

/// Failures that a process reported and will try again.
final class Troubles: Sendable {
    private let notes = Locked<[String]>([])
    func note(_ text: String) { notes.withLock { $0.append(text) } }
    var all: [String] { notes.withLock { $0 } }
}

extension Vault {
    static var test: Vault { Vault(key: Array(repeating: 7, count: 32)) }
}

extension Pipeline.Settings {
    /// Short intervals, so that a test need not wait for the next look.
    static var prompt: Pipeline.Settings {
        var settings = Pipeline.Settings()
        settings.leases.life = .seconds(30)
        settings.leases.renewal = .milliseconds(200)
        settings.sender.sweepInterval = .milliseconds(100)
        settings.sender.claimLife = .seconds(1)
        settings.worker.pollInterval = .milliseconds(50)
        return settings
    }
}
