private import Crypto
package import HTTP2
package import Runtime

/// A client of APNs for one team, environment and key: those never share connections (sender rule 3, P17).
///
/// Live for as long as `run()` runs. Callers whose tasks prefer `loop.tasks` never leave the loop's thread.
package actor APNsClient: Service {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let origin: HTTP2Origin
    private let tokens: ProviderTokenSource
    private let settings: APNsClientSettings
    private let onConnection: @Sendable (APNsConnectionEvent) -> Void

    private var pool: ConnectionPool
    private var connections: [Int: HTTP2ClientConnection] = [:]
    private var generator = SecureGenerator()
    private let openings: AsyncStream<Int>
    private let open: AsyncStream<Int>.Continuation

    private var waiting = DeliveryQueue()
    private var outstanding = 0
    private var lastFailure = APNsFailure(.unreachable, "not connected")
    private var isTicking = false
    private var isStopping = false
    private var drained: CheckedContinuation<Void, Never>?

    /// `onConnection` is for logs and figures; it runs on the loop and must not block.
    ///
    /// - Throws: `badConfiguration` when the trusted certificates cannot be read.
    package init(
        loop: EventLoop,
        endpoint: APNsEndpoint,
        tokens: ProviderTokenSource,
        settings: APNsClientSettings = APNsClientSettings(),
        onConnection: @escaping @Sendable (APNsConnectionEvent) -> Void = { _ in }
    ) throws(HTTP2Error) {
        self.onConnection = onConnection
        self.loop = loop
        self.tokens = tokens
        self.settings = settings
        origin = try HTTP2Origin(host: endpoint.host, port: endpoint.port, trust: endpoint.trust)
        pool = ConnectionPool(maxConnections: settings.maxConnections)
        (openings, open) = AsyncStream.makeStream()
    }

    /// Pushes, and returns when APNs has answered, or certainly will not, or `limit` has passed.
    ///
    /// At most one push of an activity may be under way at a time; that is the caller's to see to.
    package nonisolated func send(_ request: APNsRequest, deadline limit: Duration) async -> APNsOutcome {
        if let problem = request.problem { return .unsent(APNsFailure(.invalidRequest, problem)) }
        return await exchange(.push(request), deadline: limit).outcome
    }

    /// As `send`, for any request and with the whole answer.
    nonisolated func exchange(_ message: Delivery.Message, deadline limit: Duration) async -> Exchange {
        await withUnsafeContinuation { caller in
            // At once, without a hop or a closure on the heap, when the caller already runs on the loop.
            if loop.isOnLoop {
                assumeIsolated { $0.begin(Delivery(message, deadline: .now + limit, caller: caller)) }
            } else {
                loop.execute {
                    self.assumeIsolated { $0.begin(Delivery(message, deadline: .now + limit, caller: caller)) }
                }
            }
        }
    }

    /// Opens connections as they are needed, until cancelled; then lets what is under way finish, for a limited time.
    package func run() async throws {
        await withDiscardingTaskGroup { group in
            for await id in openings {
                group.addTask(executorPreference: loop.tasks) { await self.connect(id) }
            }
        }
        await drain()
    }

    /// Takes no more pushes, waits for those under way and closes every connection.
    package func drain() async {
        isStopping = true
        if outstanding > 0 {
            let timer = loop.schedule(after: settings.drainLimit) { [weak self] in
                self?.assumeIsolated { $0.giveUp() }
            }
            await withCheckedContinuation { drained = $0 }
            loop.cancel(timer)
        }
        for connection in connections.values { connection.close() }
    }

    /// Pushes without an outcome.
    package var underWay: Int { outstanding }
    /// Streams of all connections that have no outcome yet.
    package var openStreams: Int { connections.values.reduce(0) { $0 + $1.openStreams } }
    /// Connections that take pushes.
    package var usableConnections: Int { pool.usableConnections }

    // MARK: - Deliveries

    private func begin(_ delivery: Delivery) {
        outstanding += 1
        guard !isStopping else { return resolve(delivery, .unsent(APNsFailure(.stopped, "the client stops"))) }
        waiting.append(delivery)
        assign()
        keepTicking()
    }

    /// Hands waiting deliveries to connections as long as there are streams.
    private func assign() {
        while let next = waiting.first {
            switch pool.claim(at: .now) {
            case .use(let id):
                waiting.removeFirst()
                hand(next, to: id)
            case .open(let id): open.yield(id)
            case .wait: return
            case .unavailable:
                waiting.removeFirst()
                resolve(next, .unsent(lastFailure))
            }
        }
    }

    private func hand(_ delivery: Delivery, to id: Int) {
        guard let connection = connections[id] else {
            pool.gone(id)
            return waiting.giveBack(delivery)
        }
        do throws(CryptoError) {
            let token = try tokens.token()
            delivery.token = token
            delivery.attempts += 1
            let request = HTTP2ClientRequest(delivery.message, token: token, isFirst: !connection.hasSentRequests)
            connection.send(request, deadline: delivery.deadline) { [self] outcome in
                finish(delivery, on: id, outcome)
            }
        } catch {
            pool.released(id)
            resolve(delivery, .unsent(APNsFailure(.signing, "\(error)")))
        }
    }

    private func finish(_ delivery: Delivery, on id: Int, _ outcome: HTTP2Outcome) {
        pool.released(id)
        switch outcome {
        case .answered(let response): answered(delivery, on: id, response)
        case .unsent(let error): unsent(delivery, on: id, error)
        case .unknown(let error): resolve(delivery, .unknown(APNsFailure(error)))
        }
        assign()
    }

    private func answered(_ delivery: Delivery, on id: Int, _ response: HTTP2ClientResponse) {
        let answer = APNsAnswer(response)
        switch answer.reason {
        case .expiredProviderToken:
            // A connection that saw an expired token may refuse every later one, so the retry gets another.
            retire(id)
            if !delivery.hasTriedNewToken, let token = delivery.token, tokens.expired(token) {
                delivery.hasTriedNewToken = true
                return waiting.giveBack(delivery)
            }
        case .unrelatedKeyIDInToken, .shutdown, .idleTimeout: retire(id)
        case .tooManyProviderTokenUpdates: tokens.tooManyUpdates()
        case .invalidProviderToken, .missingProviderToken, .forbidden, .badEnvironmentKeyIDInToken,
            .badEnvironmentKeyInToken:
            break
        default: pool.proved(id)
        }
        resolve(delivery, .answered(answer), response)
    }

    private func unsent(_ delivery: Delivery, on id: Int, _ error: HTTP2Error) {
        let failure = APNsFailure(error)
        guard delivery.attempts < settings.maxAttempts, error.code != .timedOut, !isStopping
        else { return resolve(delivery, .unsent(failure)) }
        // A lowered stream limit can refuse a stream on a sound connection; refused again, it is not sound (P03).
        if delivery.attempts > 1 { retire(id) }
        waiting.giveBack(delivery)
    }

    private func resolve(_ delivery: Delivery, _ outcome: APNsOutcome, _ response: HTTP2ClientResponse? = nil) {
        guard !delivery.isResolved else { return }
        delivery.resolve(Exchange(outcome: outcome, response: response))
        outstanding -= 1
        guard outstanding == 0 else { return }
        drained?.resume()
        drained = nil
    }

    private func resolveWaiting(_ failure: APNsFailure, where isDue: (Delivery) -> Bool) {
        for delivery in waiting.remove(where: isDue) { resolve(delivery, .unsent(failure)) }
    }

    private func giveUp() {
        resolveWaiting(APNsFailure(.stopped, "the client stops")) { _ in true }
        for connection in connections.values { connection.close() }
    }

    // MARK: - Connections

    private func connect(_ id: Int) async {
        do throws(HTTP2Error) {
            let connection = try await origin.connect(on: loop, within: settings.connectLimit) { [weak self] event in
                self?.assumeIsolated { $0.handle(event, of: id) }
            }
            guard !connection.hasEnded else { return assign() }
            connections[id] = connection
            pool.opened(id)
            onConnection(.opened)
        } catch {
            lastFailure = APNsFailure(connecting: error)
            pool.failed(id, at: .now, using: &generator)
            onConnection(.failed(lastFailure))
        }
        assign()
        keepTicking()
    }

    private func handle(_ event: HTTP2ClientConnection.Event, of id: Int) {
        switch event {
        case .settings(let count): pool.limited(id, to: count)
        case .goAway(let goAway):
            pool.retired(id)
            onConnection(.goAway(APNsAnswer.reason(of: goAway.debugData)))
        case .ended(let error):
            connections[id] = nil
            onConnection(.closed(APNsFailure(error)))
            pool.gone(id)
        }
        assign()
    }

    /// Gives the connection nothing more; it closes once its streams have ended.
    private func retire(_ id: Int) {
        pool.retired(id)
        connections[id]?.drain()
    }

    // MARK: - Time

    /// Looks at deadlines ten times a second while there is anything to look at.
    private func keepTicking() {
        guard !isTicking, outstanding > 0 || !connections.isEmpty else { return }
        isTicking = true
        loop.schedule(after: .milliseconds(100)) { [weak self] in self?.assumeIsolated { $0.tick() } }
    }

    private func tick() {
        isTicking = false
        let now = MonotonicTime.now
        for connection in connections.values { connection.tick(at: now) }
        resolveWaiting(APNsFailure(.deadline, "no stream was free before the deadline")) { $0.deadline <= now }
        assign()
        keepTicking()
    }
}
