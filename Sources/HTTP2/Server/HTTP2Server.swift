package import Runtime

/// An HTTP/2 server over TLS with a hand on every connection: what a simulator of APNs needs.
package actor HTTP2Server: Service {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private var settings: HTTP2ServerSettings
    private let context: TLSContext
    private let onEvent: @Sendable (HTTP2ConnectionEvent) -> Void
    private let handler: @Sendable (HTTP2Request) async -> HTTP2Answer

    private var listener: Descriptor?
    private var watch: EventLoop.WatchID?
    private var clients: [HTTP2ConnectionID: ServerConnection] = [:]
    private var lastNumber: UInt64 = 0
    private var drained: CheckedContinuation<Void, Never>?

    /// Handlers run on the loop, isolated to the server, and are cancelled when their stream ends; `onEvent` must not
    /// block.
    ///
    /// - Throws: `badConfiguration` when certificate or key cannot be read.
    package init(
        loop: EventLoop,
        settings: HTTP2ServerSettings = HTTP2ServerSettings(),
        certificatePEM: String,
        privateKeyPEM: String,
        onEvent: @escaping @Sendable (HTTP2ConnectionEvent) -> Void = { _ in },
        handler: @escaping @Sendable (HTTP2Request) async -> HTTP2Answer
    ) throws(HTTP2Error) {
        self.loop = loop
        self.settings = settings
        self.onEvent = onEvent
        self.handler = handler
        context = try .server(
            certificatePEM: certificatePEM,
            privateKeyPEM: privateKeyPEM,
            asksForCertificate: settings.asksForCertificate
        )
    }

    /// Listens, and serves from now on; returns the port.
    package func start() throws(HTTP2Error) -> Int {
        do throws(RuntimeError) {
            let socket = try Socket.listen(host: settings.host, port: settings.port)
            let port = Socket.localAddress(of: socket).port
            watch = try loop.watch(socket.number, for: .readable) { [weak self] _ in
                self?.assumeIsolated { $0.accept() }
            }
            listener = consume socket
            return port
        } catch {
            throw HTTP2Error(.unreachable, "\(settings.host):\(settings.port): \(error)")
        }
    }

    /// Waits for cancellation, then stops listening, sends GOAWAY and lets open streams finish, for a limited time.
    package func run() async throws {
        await loop.untilCancelled()
        await stop()
    }

    private func stop() async {
        if let watch { loop.unwatch(watch) }
        watch = nil
        listener = nil
        for link in clients.values.map(\.link) {
            link.session.goAway(.noError)
            link.scheduleFlush()
        }
        guard !clients.isEmpty else { return }
        let timer = loop.schedule(after: settings.drainLimit) { [weak self] in
            self?.assumeIsolated { $0.dropAll() }
        }
        await withCheckedContinuation { drained = $0 }
        loop.cancel(timer)
    }

    private func dropAll() {
        for link in clients.values.map(\.link) { link.end(HTTP2Error(.closed, "the server stops")) }
    }

    // MARK: - Control

    /// Every connection that is open, in the order of arrival.
    package var connections: [HTTP2ConnectionID] { clients.keys.sorted() }

    /// What connections from now on are announced and granted; host, port and the question for certificates stay.
    package func setDefaults(_ settings: HTTP2ServerSettings) { self.settings = settings }

    /// The streams of a connection that wait for their answers, in order.
    package func openStreams(on id: HTTP2ConnectionID) -> [Int32] {
        clients[id]?.link.session.streams.values.filter { $0.work != nil }.map(\.id).sorted() ?? []
    }

    /// Announces a new MAX_CONCURRENT_STREAMS to one connection; streams above it that are open stay open.
    package func setMaxConcurrentStreams(_ count: Int, on id: HTTP2ConnectionID) {
        announce(HTTP2SettingsChange(maxConcurrentStreams: count), on: id)
    }

    /// Sends SETTINGS to one connection.
    package func announce(_ change: HTTP2SettingsChange, on id: HTTP2ConnectionID) {
        guard let link = clients[id]?.link else { return }
        try? link.session.change(change.session)
        link.scheduleFlush()
    }

    /// Sends GOAWAY. Streams above `lastStream` (by default the newest one seen) are closed unanswered and their
    /// handlers cancelled; the others may finish, and then the connection closes. Answers with `lastStream`, nil where the
    /// connection is gone.
    @discardableResult
    package func goAway(
        _ id: HTTP2ConnectionID,
        code: HTTP2ErrorCode = .noError,
        debugData: [UInt8] = [],
        lastStream: Int32? = nil
    ) -> Int32? {
        guard let link = clients[id]?.link else { return nil }
        link.scheduleFlush()
        return link.session.goAway(code, debugData: debugData, lastStream: lastStream)
    }

    /// Ends one stream with RST_STREAM.
    package func reset(_ stream: Int32, on id: HTTP2ConnectionID, code: HTTP2ErrorCode) {
        guard let link = clients[id]?.link else { return }
        link.session.reset(stream, code)
        link.scheduleFlush()
    }

    /// Closes a connection without a word.
    package func drop(_ id: HTTP2ConnectionID) {
        clients[id]?.link.end(HTTP2Error(.closed, "dropped"), sayingGoodbye: false)
    }

    /// Lets what a client sends pile up unread, and answers it later.
    package func setReading(_ isReading: Bool, on id: HTTP2ConnectionID) {
        clients[id]?.link.setReading(isReading)
    }

    /// Neither reads nor writes on a connection any more, and leaves it open, as a dead network would.
    package func freeze(_ id: HTTP2ConnectionID) { clients[id]?.link.freeze() }

    // MARK: - Connections

    private func accept() {
        // A bound, so that a flood of connections does not starve the open ones.
        for _ in 0..<64 {
            guard let accepted = nextConnection() else { return }
            let peer = accepted.peer.description
            if clients.count < settings.connectionLimit { adopt(accepted.take(), peer: peer) }
        }
    }

    private func nextConnection() -> Socket.Connection? {
        guard let listener = listener.take() else { return nil }
        let accepted: Socket.Connection?
        do throws(RuntimeError) {
            accepted = try Socket.accept(listener)
        } catch {
            accepted = nil
        }
        self.listener = consume listener
        return accepted
    }

    private func adopt(_ socket: consuming Descriptor, peer: String) {
        guard let session = try? Session(role: .server, settings: settings.session),
            let tls = try? context.accept()
        else { return }
        lastNumber += 1
        let id = HTTP2ConnectionID(number: lastNumber)
        let client = ServerConnection(
            id: id,
            peer: peer,
            link: SecureLink(socket: socket, tls: tls, session: session, loop: loop),
            onEvent: onEvent,
            work: { [weak self] request in self?.assumeIsolated { $0.work(on: request) } }
        )
        client.link.takesSilenceForHTTP2 = settings.servesWithoutALPN
        clients[id] = client
        client.start(handshakeWithin: settings.handshakeLimit) { [weak self] in
            self?.assumeIsolated { $0.forget(id) }
        }
    }

    private func forget(_ id: HTTP2ConnectionID) {
        clients[id] = nil
        guard clients.isEmpty else { return }
        drained?.resume()
        drained = nil
    }

    /// A socket that became readable begins this: there is no task here to be the parent. The stream's end cancels it.
    private func work(on request: HTTP2Request) -> Task<Void, Never> {
        Task(executorPreference: loop.tasks) { await self.perform(request) }
    }

    private func perform(_ request: HTTP2Request) async {
        let answer = await handler(request)
        clients[request.connection]?.finish(request.stream, with: answer)
    }
}
