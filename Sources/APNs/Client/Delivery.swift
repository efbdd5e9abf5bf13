internal import HTTP2
internal import Runtime

/// One request under way, from `send` to its outcome.
final class Delivery {
    enum Message {
        case push(APNsRequest)
        case channels(ChannelRequest)
    }

    let message: Message
    let began: MonotonicTime
    let deadline: MonotonicTime
    /// How often it was handed to a connection.
    var attempts = 0
    /// The connections that gave it back unprocessed.
    var refusedBy: Set<Int> = []
    /// The provider token of the latest attempt.
    var token: ProviderToken?
    /// Whether it was repeated because of an answer that blamed token or connection.
    var hasTriedAgain = false
    private var caller: UnsafeContinuation<Exchange, Never>?

    /// The continuation is an unsafe one because checking costs a twentieth of a push; `resolve` is its only use.
    init(_ message: Message, within limit: Duration, caller: UnsafeContinuation<Exchange, Never>) {
        self.message = message
        began = .now
        deadline = began + limit
        self.caller = caller
    }

    var isResolved: Bool { caller == nil }

    var isDoubtful: Bool {
        switch message {
        case .push(let push): push.isDoubtful
        case .channels: false
        }
    }

    /// Tells the caller; later calls do nothing.
    func resolve(_ exchange: Exchange) {
        caller?.resume(returning: exchange)
        caller = nil
    }
}

/// How a request ended.
struct Exchange: Sendable {
    let outcome: APNsOutcome
    /// The whole answer, where there is one.
    var response: HTTP2ClientResponse?
}
