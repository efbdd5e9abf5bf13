internal import Crypto
internal import HTTP2
internal import Runtime

/// Connections of one kind, and the requests that wait for a place on them. Part of the client's actor.
///
/// The client has two lanes: what happens on one costs the other nothing.
final class Lane {
    let loop: EventLoop
    let origin: HTTP2Origin
    let tokens: ProviderTokenSource
    let settings: APNsClientSettings
    let onConnection: @Sendable (APNsConnectionEvent) -> Void
    /// Asks that `connect` be called with this number, in a task of the client's.
    private let open: (Int) -> Void
    /// Called whenever nothing is under way any more.
    private let onIdle: () -> Void

    var pool: ConnectionPool
    var connections: [Int: HTTP2ClientConnection] = [:]
    var generator = SecureGenerator()
    var waiting = DeliveryQueue()
    var warming: [Warming] = []
    var lastFailure = APNsFailure(.unreachable, "not connected")
    /// When APNs' clock was last compared with ours.
    var lastComparison: MonotonicTime?
    /// Requests without an outcome.
    private(set) var underWay = 0
    var isStopping = false

    init(
        loop: EventLoop,
        origin: HTTP2Origin,
        tokens: ProviderTokenSource,
        settings: APNsClientSettings,
        maxConnections: Int,
        onConnection: @escaping @Sendable (APNsConnectionEvent) -> Void,
        open: @escaping (Int) -> Void,
        onIdle: @escaping () -> Void
    ) {
        self.loop = loop
        self.origin = origin
        self.tokens = tokens
        self.settings = settings
        self.onConnection = onConnection
        self.open = open
        self.onIdle = onIdle
        pool = ConnectionPool(maxConnections: maxConnections)
    }

    func begin(_ delivery: Delivery) {
        underWay += 1
        guard !isStopping else { return resolve(delivery, .unsent(.stopping)) }
        waiting.append(delivery)
        assign()
    }

    /// Hands waiting deliveries to connections as long as there are streams.
    func assign() {
        while let next = waiting.first {
            switch pool.claim(at: .now) {
            case .use(let id):
                waiting.removeFirst()
                hand(next, to: id)
            case .open(let id): open(id)
            case .wait: return
            case .unavailable:
                waiting.removeFirst()
                resolve(next, .unsent(lastFailure))
            }
        }
    }

    /// Opens a connection where none is, and returns when it is there or cannot be had.
    func warmUp(within limit: Duration) async -> APNsFailure? {
        switch pool.prepare(at: .now) {
        case .ready: return nil
        case .unavailable: return lastFailure
        case .open(let id): open(id)
        case .wait: break
        }
        return await withCheckedContinuation { continuation in
            let waiter = Warming(continuation)
            warming.append(waiter)
            loop.schedule(after: limit) { waiter.end(APNsFailure(.deadline, "no connection in time")) }
        }
    }

    private func hand(_ delivery: Delivery, to id: Int) {
        guard let connection = connections[id] else {
            pool.gone(id, at: .now, using: &generator)
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
        case .unknown(let error):
            if error.code == .timedOut { retireIfMute(id, since: delivery.began) }
            resolve(delivery, .unknown(APNsFailure(error)))
        }
        assign()
    }

    private func answered(_ delivery: Delivery, on id: Int, _ response: HTTP2ClientResponse) {
        let answer = APNsAnswer(response)
        compareClocks(response, on: id, atOnce: answer.reason == .expiredProviderToken)
        switch answer.reason {
        case .expiredProviderToken:
            // A connection that saw an expired token may refuse every later one, so the retry gets another.
            retire(id)
            if !delivery.hasTriedAgain, let token = delivery.token, tokens.expired(token) {
                delivery.hasTriedAgain = true
                return waiting.giveBack(delivery)
            }
        case .unrelatedKeyIDInToken, .idleTimeout:
            // The connection was the trouble, not the push: another one may take it.
            retire(id)
            if !delivery.hasTriedAgain, !isStopping {
                delivery.hasTriedAgain = true
                return waiting.giveBack(delivery)
            }
        case .shutdown: retire(id)
        case .tooManyProviderTokenUpdates: tokens.tooManyUpdates()
        case .invalidProviderToken, .missingProviderToken, .forbidden, .badEnvironmentKeyIDInToken,
            .badEnvironmentKeyInToken, .topicMismatch:
            break
        default: pool.proved(id)
        }
        resolve(delivery, .answered(answer), response)
    }

    private func unsent(_ delivery: Delivery, on id: Int, _ error: HTTP2Error) {
        guard error.code != .timedOut else {
            retireIfMute(id, since: delivery.began)
            return resolve(delivery, .unsent(APNsFailure(error)))
        }
        // What is too large for the server, is so on any connection.
        guard error.code != .fieldsTooLarge, delivery.attempts < settings.maxAttempts, !isStopping
        else { return resolve(delivery, .unsent(APNsFailure(error))) }
        // A lowered stream limit can refuse a stream on a sound connection; one that refuses it again is not sound (P03).
        if !delivery.refusedBy.insert(id).inserted { retire(id) }
        waiting.giveBack(delivery)
    }

    private func resolve(_ delivery: Delivery, _ outcome: APNsOutcome, _ response: HTTP2ClientResponse? = nil) {
        guard !delivery.isResolved else { return }
        delivery.resolve(Exchange(outcome: outcome, response: response))
        underWay -= 1
        if underWay == 0 { onIdle() }
    }

    func resolveWaiting(_ failure: APNsFailure, where isDue: (Delivery) -> Bool) {
        for delivery in waiting.remove(where: isDue) { resolve(delivery, .unsent(failure)) }
    }
}

extension APNsFailure {
    static let stopping = APNsFailure(.stopped, "the client stops")
}

/// A caller that waits for a connection, told once.
final class Warming {
    private var continuation: CheckedContinuation<APNsFailure?, Never>?

    init(_ continuation: CheckedContinuation<APNsFailure?, Never>) { self.continuation = continuation }

    func end(_ failure: APNsFailure?) {
        continuation?.resume(returning: failure)
        continuation = nil
    }
}
