package import Runtime

/// An HTTP/1.1 server on an event loop, over libmicrohttpd.
///
/// Strict about framing, with total deadlines for headers, body, idleness and slow readers, limits on header, body and
/// connections, streamed answers, and an orderly end. Plain text only: TLS is a proxy's business.
package actor HTTPServer: Service {
    package typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

    package nonisolated let loop: EventLoop
    private let settings: HTTPServerSettings
    private let faultResponse: @Sendable (HTTPFault) -> HTTPResponse
    private let handler: Handler
    private var daemon: Daemon?
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var emptied: CheckedContinuation<Void, Never>?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// A server that answers with `handler`, on the loop, and with `faultResponse` where no handler gets to see the
    /// request; the body of the latter must be bytes.
    package init(
        loop: EventLoop,
        settings: HTTPServerSettings,
        faultResponse: @escaping @Sendable (HTTPFault) -> HTTPResponse = { HTTPResponse(status: $0.status) },
        handler: @escaping Handler
    ) {
        self.loop = loop
        self.settings = settings
        self.faultResponse = faultResponse
        self.handler = handler
    }

    /// Listens, and returns the port. Requests are answered from now on; `run` must follow, or nothing ever stops it.
    package func start() throws(HTTPServerError) -> Int {
        let listener: Descriptor
        do throws(RuntimeError) {
            listener = try Socket.listen(host: settings.host, port: settings.port, reusePort: settings.sharesPort)
        } catch {
            throw HTTPServerError(.cannotListen, error.description)
        }
        let port = Socket.localAddress(of: listener).port
        let hooks = Daemon.Hooks(
            request: { [self] id, request in assumeIsolated { $0.begin(id, request) } },
            ended: { [self] id in assumeIsolated { $0.ended(id) } },
            fault: faultResponse
        )
        let made = Daemon(loop: loop, settings: settings, hooks: hooks)
        try made.start(listener)
        daemon = made
        return port
    }

    /// Serves until the task is cancelled, then drains: no new connections, idle ones are closed, what is under way may
    /// finish within `drainDeadline`, streams are cancelled at once.
    package func run() async throws {
        if daemon == nil { _ = try start() }
        await loop.untilCancelled()
        await drain()
    }

    /// Connections that are open now.
    package var connectionCount: Int { daemon?.connections.count ?? 0 }

    /// Bytes of all bodies that are arriving or not answered yet.
    package var heldBytes: Int { daemon?.heldBytes ?? 0 }

    // MARK: - Requests

    /// Starts the handler. The one task that belongs to no group: requests begin in a C callback, which cannot wait.
    /// `ended` and `drain` see to its end.
    ///
    /// It prefers the loop, so that neither what it awaits nor what it calls leaves the thread. It begins after the
    /// callback has returned and the library has suspended the connection.
    private func begin(_ id: Int, _ request: HTTPRequest) {
        tasks[id] = Task(executorPreference: loop.tasks) { [self] in await serve(id, request) }
    }

    private func serve(_ id: Int, _ request: HTTPRequest) async {
        let response = await handler(request)
        let stream = daemon?.answer(id, response)
        if case .stream(let write) = response.body, let stream {
            await produce(id, stream, request.method == "HEAD" ? { _ in } : write)
        }
        tasks[id] = nil
    }

    private func produce(
        _ id: Int,
        _ stream: BodyStream,
        _ write: @Sendable (HTTPBodyWriter) async throws -> Void
    ) async {
        let whole: Bool
        do {
            try await write(HTTPBodyWriter(self, id))
            whole = true
        } catch {
            whole = false
        }
        stream.finish(whole: whole)
        daemon?.push(stream)
    }

    func write(_ bytes: [UInt8], to id: Int) async throws(HTTPBodyClosed) {
        guard let daemon, let stream = daemon.exchanges[id]?.stream else { throw HTTPBodyClosed() }
        stream.append(bytes)
        daemon.push(stream)
        await stream.waitForReader()
        if stream.isClosed { throw HTTPBodyClosed() }
    }

    private func ended(_ id: Int) {
        tasks.removeValue(forKey: id)?.cancel()
        if daemon?.exchanges.isEmpty == true { stopWaiting() }
    }

    // MARK: - The end

    private func drain() async {
        guard let daemon else { return }
        daemon.drain()
        for (id, task) in tasks where daemon.exchanges[id]?.stream != nil { task.cancel() }
        await untilEmpty(within: settings.drainDeadline)
        for task in tasks.values { task.cancel() }
        daemon.cutAll()
        await untilEmpty(within: .seconds(1))
        daemon.stop()
        self.daemon = nil
    }

    /// Waits for the exchanges to end. Not a cancellable sleep: the caller is cancelled already.
    private func untilEmpty(within limit: Duration) async {
        guard let daemon, !daemon.exchanges.isEmpty else { return }
        let timer = loop.schedule(after: limit) { [self] in assumeIsolated { $0.stopWaiting() } }
        await withCheckedContinuation { emptied = $0 }
        loop.cancel(timer)
    }

    private func stopWaiting() {
        emptied?.resume()
        emptied = nil
    }
}
