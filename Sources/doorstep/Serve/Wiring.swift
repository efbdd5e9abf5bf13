private import API
private import HTTPServer
private import Postgres
private import PostgresStore
internal import Runtime
private import Service
private import Tracking

/// Every part of a serving process, made and connected in one flat place.
struct Wiring {
    private let configuration: Configuration
    private let loop: EventLoop
    private let log: Log

    init(configuration: Configuration, loop: EventLoop, log: Log) {
        self.configuration = configuration
        self.loop = loop
        self.log = log
    }

    /// Serves until the process is asked to stop.
    func run() async throws(Failure) {
        Signals.ignoreBrokenPipe()
        let services = try await services()
        do {
            try await runAll(services + [try Interruption(on: loop)])
        } catch {
            throw Failure(.internalError, "\(error)")
        }
        log.info("stopped")
    }

    /// As a stack: what others lean on comes first.
    private func services() async throws(Failure) -> [any Service] {
        var services: [any Service] = []
        guard let url = configuration.database else {
            throw Failure(.usage, "no database: set DATABASE_URL, --database or `database` in doorstep.json")
        }
        try configuration.checkFiles(pushes: configuration.services.contains(.worker))
        let database = try Database(configuration, on: loop)
        let clock = DatabaseClock()
        let (installation, registration) = try await database.connected { connection async throws(Failure) in
            try await Self.prepare(connection, configuration, clock)
        }
        let lanes = Int(installation.lanes)
        let directory = Directory()
        directory.take(registration, at: clock.now)
        let metrics = Metrics()
        let figures = ServiceMetrics(metrics)
        let failed: @Sendable (StaticString, any Error) -> Void = { operation, error in
            log.warning("retrying", ["operation": LogValue("\(operation)"), "error": LogValue("\(error)")])
        }

        func pool(_ settings: PostgresSettings, _ size: Int) -> PostgresPool {
            let settings = installation.isCitus ? settings : StoreSession.planningOnce(settings)
            return PostgresPool(loop: loop, settings: settings, size: size)
        }
        var appending = Appender.Settings()
        // A few lanes share a commit; where there are few, each has its own.
        appending.groups = min(appending.groups, max(2, lanes / 4), lanes)
        let reading = pool(StoreSession.durable(url), 4)
        let writing = pool(StoreSession.appending(url), appending.groups)
        let durable = pool(StoreSession.durable(url), 3)
        let projecting = pool(StoreSession.projecting(url), 4)
        services += [reading, writing, durable, projecting]

        let appender = Appender(loop: loop, pool: writing, lanes: lanes, settings: appending, clock: clock)
        services.append(appender)
        let settlements = Settlements(loop: loop)
        let sources = SourceRegistry(pool: reading, directory: directory)
        let vault = Vault(key: try Self.masterKey(configuration))

        var push: PushClients?
        if configuration.services.contains(.worker) {
            let clients = try PushClients(registration, configuration.pushService, loop: loop, log: log)
            push = clients
            services.append(clients)
            services.append(Upkeep(url: url, loop: loop, log: log))
            var settings = Pipeline.Settings()
            // Without the API in this process, facts come from others, and no hint tells of them.
            if !configuration.services.contains(.api) { settings.worker.pollInterval = .milliseconds(20) }
            let pipeline = Pipeline(
                Pipeline.Parts(
                    loop: loop,
                    projecting: projecting,
                    durable: durable,
                    appender: appender,
                    directory: directory,
                    sources: sources,
                    vault: vault,
                    gateway: clients.gateway,
                    clock: clock,
                    settlements: settlements,
                    lanes: lanes
                ),
                settings: settings,
                pushed: { figures.count($0) },
                failed: failed
            )
            services.append(pipeline)
            figures.watch(pipeline.worker, clients.gateway)
        }
        let configured = ConfiguredSources(configuration.sourceSettings)
        let tokens = CustomerTokens()
        tokens.replace(configuration.tokenIssuers)
        let keySets = KeySets(loop: loop, tokens: tokens, metrics: metrics, log: log)
        await keySets.replace(configuration.keySetAddresses)
        services.append(ActivePolicies(pool: reading, directory: directory, clock: clock, log: log))
        if let path = configuration.file {
            services.append(
                Reload(
                    path: path,
                    pool: reading,
                    directory: directory,
                    sources: configured,
                    tokens: tokens,
                    keySets: keySets,
                    push: push,
                    clock: clock,
                    log: log
                )
            )
        }
        guard configuration.services.contains(.api) else { return services }
        services.append(keySets)

        let live = LiveService(
            pool: reading,
            appender: appender,
            directory: directory,
            sources: sources,
            orders: OrderReader(pool: reading, directory: directory, clock: clock, lanes: lanes),
            devices: DeviceReader(pool: reading, lanes: lanes),
            settlements: settlements,
            clock: clock,
            vault: vault,
            metrics: metrics,
            lanes: lanes
        )
        let endpoints = Endpoints(
            ports: API.Ports(
                access: LiveAccess(live, sources: configured, tokens: tokens) { await keySets.refresh($0) },
                ingest: LiveIngest(live),
                orders: LiveOrders(live),
                feed: LiveFeed(live),
                devices: LiveDevices(live),
                activities: LiveActivities(live),
                commands: LiveCommands(live),
                operations: LiveOperations(live) { await figures.refresh(reading, clock) }
            ),
            events: EventCounters(metrics: metrics, sources: configuration.sources.map(\.name)),
            limits: configuration.requests,
            log: log,
            now: { clock.now }
        )
        let edge = Edge(endpoints, limits: configuration.requests, metrics: RequestMetrics(metrics), log: log)
        var settings = HTTPServerSettings()
        settings.host = configuration.listen.host
        settings.port = configuration.listen.port
        settings.connectionLimit = configuration.connectionLimit
        settings.allBodiesBytes = configuration.allBodiesBytes
        let server = HTTPServer(
            loop: loop,
            settings: settings,
            faultResponse: edge.respond(to:),
            handler: edge.respond(to:)
        )
        let port: Int
        do {
            port = try await server.start()
        } catch {
            throw Failure(.unreachable, "cannot listen on \(configuration.listen.text): \(error)")
        }
        services.append(server)
        log.info("listening", ["host": LogValue(configuration.listen.host), "port": LogValue(port)])
        return services
    }

    // MARK: - Before anything runs

    private static func prepare(
        _ connection: PostgresConnection,
        _ configuration: Configuration,
        _ clock: DatabaseClock
    ) async throws(Failure) -> (Migrations.Installation, Registration) {
        let installation: Migrations.Installation
        do throws(StoreError) {
            installation = try await Migrations.check(connection)
        } catch {
            throw Failure(error)
        }
        do throws(PostgresError) {
            clock.measured(try await connection.run(Counters.databaseTime), at: .now)
            return (installation, try await Registration(configuration, in: connection, now: clock.now))
        } catch {
            throw Failure(error)
        }
    }

    private static func masterKey(_ configuration: Configuration) throws(Failure) -> [UInt8] {
        guard let file = configuration.masterKeyFile else {
            throw Failure(.usage, "no master key: set DOORSTEP_MASTER_KEY_FILE to a file with 64 hexadecimal digits")
        }
        return try MasterKey.read(file)
    }
}
