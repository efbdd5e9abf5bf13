internal import Crypto

/// One request as the log keeps it: small, because a replay makes hundreds of thousands. The body is kept apart.
struct RequestRecord: Sendable {
    /// What the request asked of the phone.
    enum Event: String, Sendable, CaseIterable {
        case start
        case update
        case end
        /// A request to an ordinary token.
        case alert
        /// A body without a usable event.
        case unknown
    }

    /// Arrival by the machine's clock, microseconds.
    let receivedWall: Int64
    /// Arrival by the phones' clock, microseconds.
    let receivedPhone: Int64
    let environment: PushEnvironment
    let connection: UInt64
    let apnsID: UUID128
    var bytes: Int32 = 0
    /// Nil when no phone was found for the token.
    var phone: Int32?
    var card: Int32?
    var tokenKind: Recipient.Kind?
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
}
