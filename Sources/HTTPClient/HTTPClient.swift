package import Runtime

/// An HTTP/1.1 client for one server: a pool of kept-alive connections on an event loop, over libcurl.
///
/// Any number of requests may be sent at once; those beyond the pool wait their turn, first come first served, within
/// their deadline. A request that went out on a kept connection which turns out to have been closed in the meantime,
/// before any byte of an answer, is sent again on a new one.
package actor HTTPClient {
    package nonisolated let loop: EventLoop
    private let baseURL: String
    private let maxConnections: Int
    private let timeout: Duration
    private let responseLimit: Int

    private var multi: CurlMulti?
    private var spare: [CurlEasy] = []
    private var exchanges: [Int: Exchange] = [:]
    private var running: [ObjectIdentifier: Int] = [:]
    private var waiting = FIFO<Int>()
    private var lastID = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// A client for `baseURL`, which has scheme, host, port and at most a path prefix, without a final slash.
    ///
    /// `timeout` spans a whole request from `send` to the last byte; a body of more than `responseLimit` bytes is refused.
    package init(
        loop: EventLoop,
        baseURL: String,
        maxConnections: Int,
        timeout: Duration = .seconds(30),
        responseLimit: Int = 64 << 20
    ) {
        precondition(maxConnections > 0, "a client needs at least one connection")
        self.loop = loop
        self.baseURL = baseURL
        self.maxConnections = maxConnections
        self.timeout = timeout
        self.responseLimit = responseLimit
    }

    /// Sends a request and collects the answer, whatever its status. `path` begins with a slash, is already
    /// percent-encoded, and may carry a query. `timeout` replaces the client's own.
    package func send(
        _ method: String,
        _ path: String,
        headers: [(String, String)] = [],
        body: [UInt8] = [],
        timeout: Duration? = nil
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        let request = try HTTPClientRequest(method, url: baseURL + path, headers: headers, body: body)
        let id = nextID()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let exchange = Exchange(request, limit: responseLimit, sink: .whole(continuation))
                begin(id, exchange, within: timeout ?? self.timeout)
            }
        } onCancel: {
            cancel(id)
        }
        return try outcome.get()
    }

    /// Sends a request and hands over the body as it arrives: for event streams and exports.
    ///
    /// There is no deadline after the head. Dropping the stream ends the request; the stream throws `HTTPClientError`
    /// when the connection breaks off. The connection counts among the pool's until then.
    package func stream(
        _ method: String,
        _ path: String,
        headers: [(String, String)] = [],
        body: [UInt8] = []
    ) async throws(HTTPClientError) -> (head: HTTPClientResponse.Head, body: AsyncThrowingStream<[UInt8], any Error>) {
        let request = try HTTPClientRequest(method, url: baseURL + path, headers: headers, body: body)
        let id = nextID()
        let (stream, pieces) = AsyncThrowingStream.makeStream(of: [UInt8].self)
        pieces.onTermination = { [self] _ in cancel(id) }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let exchange = Exchange(request, limit: .max, sink: .pieces(head: continuation, body: pieces))
                begin(id, exchange, within: timeout)
            }
        } onCancel: {
            cancel(id)
        }
        return (try outcome.get(), stream)
    }

    private func nextID() -> Int {
        lastID += 1
        return lastID
    }

    private func begin(_ id: Int, _ exchange: Exchange, within limit: Duration) {
        guard !Task.isCancelled else { return exchange.end(HTTPClientError(.cancelled)) }
        exchanges[id] = exchange
        exchange.startTimer(loop, limit) { [self] in assumeIsolated { $0.abandon(id, .timedOut) } }
        if running.count < maxConnections {
            start(id, exchange)
        } else {
            waiting.append(id)
        }
    }

    private func start(_ id: Int, _ exchange: Exchange) {
        let easy = spare.popLast() ?? CurlEasy()
        easy.prepare(exchange.request, receiver: exchange)
        exchange.easy = easy
        running[ObjectIdentifier(easy)] = id
        multiHandle().add(easy)
    }

    private func multiHandle() -> CurlMulti {
        if let multi { return multi }
        let made = CurlMulti(loop: loop, connections: maxConnections) { [unowned self] easy, error in
            assumeIsolated { $0.finish(easy, error) }
        }
        multi = made
        return made
    }

    private func finish(_ easy: ObjectIdentifier, _ error: HTTPClientError?) {
        guard let id = running[easy] else { return }
        end(id, error)
    }

    private nonisolated func cancel(_ id: Int) {
        loop.execute { [self] in assumeIsolated { $0.abandon(id, .cancelled) } }
    }

    private func abandon(_ id: Int, _ code: HTTPClientError.Code) {
        guard let exchange = exchanges[id] else { return }
        var written = false
        if let easy = exchange.easy {
            written = easy.requestWasWritten
            multi?.remove(easy)
        }
        end(id, HTTPClientError(code, requestWasWritten: written))
    }

    private func end(_ id: Int, _ error: HTTPClientError?) {
        guard let exchange = exchanges.removeValue(forKey: id) else { return }
        if let easy = exchange.easy {
            running[ObjectIdentifier(easy)] = nil
            spare.append(easy)
        }
        exchange.easy = nil
        exchange.end(error)
        startWaiting()
    }

    private func startWaiting() {
        while running.count < maxConnections, let id = waiting.popFirst() {
            // Those that timed out or were cancelled while they waited are gone from the table.
            if let exchange = exchanges[id] { start(id, exchange) }
        }
    }
}
