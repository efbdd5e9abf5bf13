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

    /// Which header brings a request's id and takes it back.
    enum IDHeader: String, Sendable {
        case apnsID = "apns-id"
        /// Of broadcasts and channel management.
        case requestID = "apns-request-id"
    }

    /// What an answer says when there is no refusal; a push has nothing to say.
    struct Success: Sendable, Hashable {
        var status = 200
        /// Of a channel that was made.
        var channelID: String?
        var body: [UInt8] = []
    }

    let idHeader: IDHeader
    let apnsID: UUID128
    /// For pushes on the sandbox listener only.
    let uniqueID: UUID128?
    let success: Success
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
