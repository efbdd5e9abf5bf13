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

    private lazy var ordinary = makeLane(.ordinary, maxConnections: settings.maxConnections)
    private lazy var doubtful = makeLane(.doubtful, maxConnections: 1)
    private let openings: AsyncStream<Opening>
    private let open: AsyncStream<Opening>.Continuation

    private var isTicking = false
    private var drained: [CheckedContinuation<Void, Never>] = []

    private enum LaneName {
        case ordinary
        /// For `APNsRequest.isDoubtful`.
        case doubtful
    }

    private struct Opening {
        let lane: LaneName
        let id: Int
    }

    /// `onConnection` is for logs and figures; it runs on the loop and must not block.
    ///
    /// - Throws: `badConfiguration` when the trusted certificates cannot be read, or a setting makes no sense.
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
        if let problem = settings.problem { throw HTTP2Error(.badConfiguration, problem) }
        origin = try HTTP2Origin(
            host: endpoint.host,
            port: endpoint.port,
            trust: endpoint.trust,
            proxy: settings.proxy
        )
        (openings, open) = AsyncStream.makeStream()
    }

    private func makeLane(_ name: LaneName, maxConnections: Int) -> Lane {
        Lane(
            loop: loop,
            origin: origin,
            tokens: tokens,
            settings: settings,
            maxConnections: maxConnections,
            onConnection: onConnection,
            open: { [open] id in open.yield(Opening(lane: name, id: id)) },
            onIdle: { [weak self] in self?.assumeIsolated { $0.noticeIdle() } }
        )
    }

    private func lane(_ name: LaneName) -> Lane {
        switch name {
        case .ordinary: ordinary
        case .doubtful: doubtful
        }
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
                assumeIsolated { $0.begin(Delivery(message, within: limit, caller: caller)) }
            } else {
                loop.execute { self.assumeIsolated { $0.begin(Delivery(message, within: limit, caller: caller)) } }
            }
        }
    }

    private func begin(_ delivery: Delivery) {
        if delivery.isDoubtful { doubtful.begin(delivery) } else { ordinary.begin(delivery) }
        keepTicking()
    }

    /// Opens connections as they are needed, until cancelled; then lets what is under way finish, for a limited time.
    package func run() async throws {
        await withDiscardingTaskGroup { group in
            for await opening in openings {
                group.addTask(executorPreference: loop.tasks) { await self.connect(opening) }
            }
        }
        await drain()
    }

    /// Connects and shakes hands ahead of the first push, so that it need not wait for that; nil when a connection is
    /// there. Only while `run()` runs.
    package func warmUp(within limit: Duration) async -> APNsFailure? { await ordinary.warmUp(within: limit) }

    /// Takes no more pushes, waits for those under way and closes every connection.
    package func drain() async {
        for lane in [ordinary, doubtful] { lane.stop() }
        if underWay > 0 {
            let timer = loop.schedule(after: settings.drainLimit) { [weak self] in
                self?.assumeIsolated { $0.giveUp() }
            }
            await withCheckedContinuation { drained.append($0) }
            loop.cancel(timer)
        }
        for lane in [ordinary, doubtful] { lane.close() }
    }

    /// Pushes without an outcome.
    package var underWay: Int { ordinary.underWay + doubtful.underWay }
    /// Streams of all connections that have no outcome yet.
    package var openStreams: Int {
        [ordinary, doubtful].reduce(0) { $0 + $1.connections.values.reduce(0) { $0 + $1.openStreams } }
    }
    /// Connections that take pushes.
    package var usableConnections: Int { ordinary.pool.usableConnections + doubtful.pool.usableConnections }
    /// How many seconds APNs' clock is ahead of ours, by the dates of its answers; nil before the first one.
    package nonisolated var clockSkew: Int64? { tokens.clockSkew }

    private func connect(_ opening: Opening) async {
        await lane(opening.lane).connect(opening.id)
        keepTicking()
    }

    private func noticeIdle() {
        guard underWay == 0 else { return }
        for waiter in drained { waiter.resume() }
        drained = []
    }

    private func giveUp() {
        for lane in [ordinary, doubtful] { lane.giveUp() }
    }

    /// Looks at deadlines ten times a second while there is anything to look at.
    private func keepTicking() {
        guard !isTicking, underWay > 0 || !ordinary.connections.isEmpty || !doubtful.connections.isEmpty
        else { return }
        isTicking = true
        loop.schedule(after: .milliseconds(100)) { [weak self] in self?.assumeIsolated { $0.tick() } }
    }

    private func tick() {
        isTicking = false
        let now = MonotonicTime.now
        for lane in [ordinary, doubtful] { lane.tick(at: now) }
        keepTicking()
    }
}
