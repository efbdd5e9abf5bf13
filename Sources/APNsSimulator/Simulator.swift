private import Crypto
private import HTTP2
private import HTTPServer
package import Runtime

/// APNs and the iPhones behind it, on this machine: HTTP/2 listeners for pushes and for channels, a control API and
/// virtual apps that register with Doorstep.
///
/// All state is one `World`, which this actor feeds with requests, time and answers.
package actor Simulator: Service {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let settings: SimulatorSettings
    var world: World
    private var listeners: [Listener: HTTP2Server] = [:]
    private var controlServer: HTTPServer?
    private var date = HTTPDate()
    private var marks: [World.ConnectionKey: StreamMarks] = [:]
    var queue = CallQueue()
    var backoff = Backoff(base: .milliseconds(250), limit: .seconds(10))
    var jitter: SplitMix64
    /// Whether there is something that its file does not know.
    var hasChanged = true

    package init(loop: EventLoop, settings: SimulatorSettings) {
        self.loop = loop
        self.settings = settings
        world = World(settings)
        jitter = SplitMix64(seed: ~settings.seed)
    }

    /// Listens on all ports and tells which they are.
    package func start() async throws(SimulatorError) -> SimulatorSettings.Ports {
        if let before = try await savedState() {
            world = World(settings, state: before, atWall: WallClock.microseconds)
            hand(over: world.takeCallers())
        }
        // A file that cannot be written is told at once.
        try await save()
        var ports = settings.ports
        ports.sandbox = try await listen(Listener(.sandbox, .provider), port: ports.sandbox)
        ports.production = try await listen(Listener(.production, .provider), port: ports.production)
        ports.sandboxManagement = try await listen(Listener(.sandbox, .management), port: ports.sandboxManagement)
        ports.productionManagement = try await listen(
            Listener(.production, .management),
            port: ports.productionManagement
        )
        ports.control = try await listenForControl(port: ports.control)
        return ports
    }

    /// Serves until the task is cancelled; `start` comes first.
    package func run() async throws {
        guard let controlServer else { return }
        var services: [any Service] = listeners.values.map { $0 }
        services += [VirtualApps(simulator: self), controlServer, StateKeeper(simulator: self)]
        do {
            try await withTaskExecutorPreference(loop.tasks) { try await runAll(services) }
        } catch {
            try? await save()
            throw error
        }
        try await save()
    }

    var now: Moment {
        let wall = WallClock.microseconds
        return Moment(wall: wall, phone: wall + world.advanced)
    }

    // MARK: - APNs

    /// One of Apple's hosts.
    private struct Listener: Hashable {
        let environment: PushEnvironment
        let service: World.ConnectionKey.Service

        init(_ environment: PushEnvironment, _ service: World.ConnectionKey.Service) {
            self.environment = environment
            self.service = service
        }

        func key(_ id: HTTP2ConnectionID) -> World.ConnectionKey {
            World.ConnectionKey(environment: environment, service: service, id: id.number)
        }
    }

    /// What new connections are announced, by the knobs.
    private var http2Settings: HTTP2ServerSettings {
        var http2 = HTTP2ServerSettings(host: settings.host, maxConcurrentStreams: world.knobs.standing.untrusted)
        http2.headerTableSize = world.knobs.transport.headerTableSize
        http2.maxFrameSize = world.knobs.transport.maxFrameSize
        http2.maxHeaderListSize = world.knobs.transport.maxHeaderListSize
        http2.maxBodyBytes = 64 << 10
        http2.asksForCertificate = true
        // APNs serves clients without ALPN, as aioapns is one.
        http2.servesWithoutALPN = true
        return http2
    }

    private func listen(_ listener: Listener, port: Int) async throws(SimulatorError) -> Int {
        var http2 = http2Settings
        http2.port = port
        let server: HTTP2Server
        do {
            server = try HTTP2Server(
                loop: loop,
                settings: http2,
                certificatePEM: settings.certificatePEM,
                privateKeyPEM: settings.privateKeyPEM,
                onEvent: { [weak self] event in self?.assumeIsolated { $0.note(event, listener) } },
                handler: { [weak self] request in await self?.answer(request, listener) ?? .silence }
            )
        } catch {
            throw SimulatorError(.badIdentity, error.detail)
        }
        do {
            let bound = try await server.start()
            listeners[listener] = server
            return bound
        } catch {
            throw SimulatorError(.cannotListen, error.detail)
        }
    }

    private func note(_ event: HTTP2ConnectionEvent, _ listener: Listener) {
        switch event {
        case .opened(let id, _): world.opened(listener.key(id), at: now)
        case .certificate(let id): world.showedCertificate(listener.key(id))
        case .closed(let id, _):
            marks[listener.key(id)] = nil
            world.closed(listener.key(id), at: now)
        case .ping(let id, let open): world.pinged(listener.key(id), isWaiting: open > 0, at: now)
        case .priority(let id): world.prioritized(listener.key(id), at: now)
        case .excessStream(let id): world.exceededStreams(listener.key(id), at: now)
        case .oversized(let id): world.sentTooLargeFields(listener.key(id), at: now)
        case .abandoned(let id, _): world.answered(listener.key(id), at: now)
        case .rejected: break
        }
    }

    private func answer(_ request: HTTP2Request, _ listener: Listener) async -> HTTP2Answer {
        // If the stream or its connection is gone meanwhile, nothing was processed.
        guard await isStillWanted(listener.key(request.connection)) else { return .silence }
        let key = listener.key(request.connection)
        defer { world.answered(key, at: now) }
        guard marks[key, default: StreamMarks()].takes(request.stream) else { return .silence }
        marks[key, default: StreamMarks()].processed(request.stream)
        let reply = world.receive(PushRequest(request), on: key, at: now)
        hasChanged = true
        hand(over: world.takeCallers())
        for action in reply.connectionActions { perform(action, on: request.connection, of: listener) }
        switch reply.delivery {
        case .answer: return .reply(HTTP2Reply(reply, date: date.text(reply.date)))
        case .delayed(let milliseconds):
            try? await loop.sleep(for: .milliseconds(milliseconds))
            return .reply(HTTP2Reply(reply, date: date.text(reply.date)))
        case .never: return .silence
        case .reset(let code): return .reset(HTTP2ErrorCode(code))
        case .drop:
            await listeners[listener]?.drop(request.connection)
            return .silence
        }
    }

    /// At once, without a hop: no request may be processed between the choice of GOAWAY's last stream and its being known
    /// here.
    private func perform(_ action: ConnectionAction, on id: HTTP2ConnectionID, of listener: Listener) {
        let key = listener.key(id)
        guard let server = listeners[listener] else { return }
        let newest = marks[key]?.newest ?? 0
        let last = server.assumeIsolated { $0.perform(action, on: id, atLeastTo: newest) }
        if let last { marks[key, default: StreamMarks()].goesAway(after: last) }
    }

    private static let holdInterval = Duration.milliseconds(20)

    /// Lets a request wait as long as the knobs say.
    private func isStillWanted(_ key: World.ConnectionKey) async -> Bool {
        guard world.knobs.transport.delaysRequests else { return !Task.isCancelled }
        world.wait(on: key)
        defer { world.stopWaiting(on: key) }
        do {
            try await loop.sleep(for: .microseconds(world.knobs.transport.latency))
            while world.knobs.transport.holdsRequests { try await loop.sleep(for: Self.holdInterval) }
            return !Task.isCancelled
        } catch {
            return false
        }
    }

    /// Does to connections what no answer brings.
    func carryOutCommands() {
        for command in world.takeCommands() {
            let listener = Listener(command.key.environment, command.key.service)
            perform(command.action, on: HTTP2ConnectionID(number: command.key.id), of: listener)
        }
    }

    // MARK: - Control API

    private func listenForControl(port: Int) async throws(SimulatorError) -> Int {
        let server = HTTPServer(
            loop: loop,
            settings: HTTPServerSettings(host: settings.host, port: port),
            faultResponse: { HTTPResponse(.problem(ControlProblem($0.status, "the request is not acceptable"))) },
            handler: { [weak self] request in
                HTTPResponse(await self?.control(request) ?? .problem(ControlProblem(503, "the simulator stops")))
            }
        )
        do {
            let bound = try await server.start()
            controlServer = server
            return bound
        } catch {
            throw SimulatorError(.cannotListen, error.detail)
        }
    }

    private func control(_ request: HTTPRequest) async -> ControlReply {
        guard
            let parsed = ControlRequest(
                method: request.method,
                path: request.path,
                query: request.query,
                body: request.body
            )
        else { return .problem(ControlProblem(400, "the path and the query must be percent-encoded UTF-8")) }
        let before = http2Settings
        let reply = world.control(parsed, at: now)
        if parsed.method != "GET" { hasChanged = true }
        hand(over: world.takeCallers())
        if http2Settings != before {
            for listener in listeners.values { await listener.setDefaults(http2Settings) }
        }
        carryOutCommands()
        return reply
    }
}
