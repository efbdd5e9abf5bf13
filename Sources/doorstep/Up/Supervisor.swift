private import Glibc
internal import Runtime

/// Starts PostgreSQL, the simulator and the service in this order, keeps them running, and ends them in reverse.
actor Supervisor {
    struct Settings: Sendable {
        let folder: DataFolder
        /// The API's; 0: any free ports.
        let port: Int
        /// Plays invented orders all the time.
        let plays: Bool
    }

    /// Who is told what while things start and run.
    struct Audience: Sendable {
        let note: @Sendable (String) -> Void
        let ready: @Sendable (Stack) -> Void
    }

    /// What runs once everything is ready.
    struct Stack: Sendable {
        let folder: DataFolder
        let ports: LocalPorts
        let cluster: PostgresCluster
        let environment: EnvironmentFile
    }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let settings: Settings
    private let audience: Audience
    /// In the order in which they started.
    private var children: [ManagedChild] = []

    init(_ settings: Settings, loop: EventLoop, audience: Audience) {
        self.settings = settings
        self.loop = loop
        self.audience = audience
    }

    /// Runs until `stop`, or until something cannot be started.
    func run() async throws(Failure) {
        let outcome = await withTaskGroup(of: Void.self) { group -> Result<Void, Failure> in
            do throws(Failure) {
                try await start(in: &group)
            } catch {
                await stop()
                return .failure(error)
            }
            await group.waitForAll()
            return .success(())
        }
        try outcome.get()
    }

    /// Ends all children, the youngest first, within ten seconds.
    func stop() async {
        for child in children.reversed() { await child.stop(grace: Self.grace[child.name] ?? .seconds(1)) }
    }

    private static let grace: [String: Duration] = [
        "serve": .seconds(5), "apns-sim": .milliseconds(1500), "postgres": .milliseconds(2500),
    ]

    private func start(in group: inout TaskGroup<Void>) async throws(Failure) {
        let folder = settings.folder
        let cluster = try PostgresCluster(folder, path: Environment.process["PATH"])
        let files = ChildFiles(folder: folder, cluster: cluster)
        await files.endLeftovers(Leftovers(loop: loop, note: audience.note))
        // What was left over may have held the ports.
        let ports = try LocalPorts.find(first: settings.port)

        let secrets = DemoSecrets(folder: folder)
        let configuration = try demoConfiguration(secrets)
        if cluster.isMade { try checkMasterKey(configuration, cluster) }
        try secrets.make()
        try await cluster.make(on: loop)
        let setup = DatabaseSetup(cluster: cluster, loop: loop)
        let postgres = launch("postgres", cluster.server, files.postgres, stopSignal: SIGINT, in: &group)
        try await wait(for: postgres) { await setup.isServing() }
        var environment = startEnvironment(cluster, ports)
        try await setup.run(configuration, &environment)
        do throws(FileError) { try environment.write(to: folder.environmentFile) } catch {
            throw Failure(.unreachable, "cannot write \(error)")
        }

        let programs = ChildPrograms(folder: folder, secrets: secrets, ports: ports, environment: environment)
        let simulator = launch("apns-sim", programs.simulator, files.simulator, stopSignal: SIGTERM, in: &group)
        try await wait(for: simulator, answering: "\(programs.simulatorURL)/healthz")
        let serve = launch("serve", programs.serve, files.serve, stopSignal: SIGTERM, in: &group)
        try await wait(for: serve, answering: "\(programs.url)/readyz")
        if settings.plays { _ = launch("demo", programs.demo, files.demo, stopSignal: SIGTERM, in: &group) }
        audience.ready(Stack(folder: folder, ports: ports, cluster: cluster, environment: environment))
    }

    /// The variables known before there are keys; keys of an earlier run are kept if the database still knows them.
    private func startEnvironment(_ cluster: PostgresCluster, _ ports: LocalPorts) -> EnvironmentFile {
        let folder = settings.folder
        let earlier = (try? Files.readText(folder.environmentFile)) ?? ""
        var environment = EnvironmentFile(reading: earlier)
        environment["DOORSTEP_URL"] = "http://\(LocalPorts.host):\(ports.api)"
        environment["DOORSTEP_SIMULATOR_URL"] = "http://\(LocalPorts.host):\(ports.control)"
        environment["DOORSTEP_APNS_URL"] = "https://\(LocalPorts.host):\(ports.sandbox)"
        environment["DOORSTEP_APNS_PRODUCTION_URL"] = "https://\(LocalPorts.host):\(ports.production)"
        environment["DOORSTEP_APNS_MANAGEMENT_URL"] = "https://\(LocalPorts.host):\(ports.sandboxManagement)"
        environment["DOORSTEP_APNS_PRODUCTION_MANAGEMENT_URL"] =
            "https://\(LocalPorts.host):\(ports.productionManagement)"
        environment["DOORSTEP_APNS_CA"] = folder.certificateFile
        environment["DOORSTEP_APP"] = DemoConfiguration.apps[0]
        environment["DOORSTEP_CONFIG"] = folder.configurationFile
        environment["DATABASE_URL"] = cluster.url(database: DatabaseSetup.database)
        return environment
    }

    private func demoConfiguration(_ secrets: DemoSecrets) throws(Failure) -> Configuration {
        let path = settings.folder.configurationFile
        if !Files.exists(path) {
            do throws(FileError) { try Files.write(DemoConfiguration.text(secrets), to: path) } catch {
                throw Failure(.unreachable, "cannot write \(error)")
            }
        }
        return try Configuration.read(path)
    }

    /// A new master key would not open what the old one sealed.
    private func checkMasterKey(_ configuration: Configuration, _ cluster: PostgresCluster) throws(Failure) {
        guard let file = configuration.masterKeyFile, !Files.exists(file) else { return }
        let folder = settings.folder.path
        let everything = cluster.data.hasPrefix("\(folder)/") ? folder : "\(folder) and \(cluster.data)"
        throw Failure(
            .unreachable,
            "the master key \(file) is gone, and without it the push tokens in the database cannot be opened; "
                + "put it back from the backup, or begin anew with another --data or by removing \(everything), "
                + "which also loses every order in it"
        )
    }

    private func launch(
        _ name: String,
        _ program: Program,
        _ pidFile: PidFile,
        stopSignal: Int32,
        in group: inout TaskGroup<Void>
    ) -> ManagedChild {
        let child = ManagedChild(
            name,
            program,
            pidFile: pidFile,
            stopSignal: stopSignal,
            loop: loop,
            note: audience.note
        )
        children.append(child)
        group.addTask { await child.run() }
        return child
    }
}
