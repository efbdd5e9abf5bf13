internal import Crypto

/// What the listener does with one request.
struct PushReply: Sendable {
    enum Delivery: Sendable, Hashable {
        case answer
        case delayed(milliseconds: Int)
        /// The stream stays open without an answer.
        case never
        /// RST_STREAM with REFUSED_STREAM.
        case reset
        /// The socket closes.
        case drop
    }

    enum ConnectionAction: Sendable, Hashable {
        case limitStreams(Int)
        case goAway(reason: String)
    }

    let apnsID: UUID128
    /// On the sandbox listener only.
    let uniqueID: UUID128?
    /// Nil is 200.
    let refusal: Refusal?
    let delivery: Delivery
    let connectionActions: [ConnectionAction]
}

extension PushReply.ConnectionAction {
    init(_ action: ConnectionStanding.Action) {
        switch action {
        case .limitStreams(let count): self = .limitStreams(count)
        case .goAway(let reason): self = .goAway(reason: reason.rawValue)
        }
    }
}
