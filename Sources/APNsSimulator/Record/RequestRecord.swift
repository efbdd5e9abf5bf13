internal import Crypto
private import JSONText

/// One request as the log keeps it: small, because a replay makes hundreds of thousands. The body is kept apart.
struct RequestRecord: Sendable, Codable {
    /// What the request asked of the phone.
    enum Event: String, Sendable, CaseIterable, Codable {
        case start
        case update
        case end
        /// A request to an ordinary token.
        case alert
        /// A request to the channel management API.
        case manage
        /// A body without a usable event.
        case unknown
    }

    /// Arrival by the machine's clock, microseconds.
    var receivedWall: Int64
    /// Arrival by the phones' clock, microseconds.
    var receivedPhone: Int64
    let environment: PushEnvironment
    let connection: UInt64
    let apnsID: UUID128
    var bytes: Int32 = 0
    /// Nil when no phone was found for the token.
    var phone: Int32?
    var card: Int32?
    var tokenKind: Recipient.Kind?
    /// Index of the channel in the world.
    var channel: Int32?
    /// For what a broadcast brought one phone: the number of the request that published it.
    var broadcast: Int32?
    var event = Event.unknown
    /// The revision the content shows.
    var revision: Int64?
    /// The payload's `timestamp`, Unix seconds.
    var timestamp: Int64?
    var priority: UInt8 = 0
    /// Unix seconds.
    var expiration: Int64?
    var status: UInt16 = 200
    var reason: String?
    /// Nil for a refused request.
    var verdict: Verdict?

    mutating func address(_ recipient: Recipient?) {
        phone = recipient.map { Int32(clamping: $0.phone) }
        card = recipient?.card.map { Int32(clamping: $0) }
        tokenKind = recipient?.kind
    }

    mutating func describe(_ payload: ActivityPayload, _ schema: ActivitySchema?) {
        switch payload.event {
        case .start: event = .start
        case .update: event = .update
        case .end: event = .end
        }
        timestamp = payload.timestamp
        revision = schema.flatMap { payload.contentState?[$0.revisionKey]?.int64Value }
    }
}
