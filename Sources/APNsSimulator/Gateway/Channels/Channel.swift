/// A broadcast channel of one app in one environment (Apple, "Sending channel management requests to APNs").
struct Channel: Sendable, Codable {
    /// What APNs keeps for devices that are away; fixed when the channel is made.
    enum Storage: Int, Sendable, Codable {
        case nothing = 0
        /// The newest message, for at most eight hours.
        case newest = 1
    }

    /// What was published.
    struct Message: Sendable, Codable {
        /// The number of the request, and what the log says of it.
        let sequence: Int
        let record: RequestRecord
        /// Nil when the body means nothing to ActivityKit.
        let payload: ActivityPayload?
    }

    /// A message that waits for devices that come late.
    struct Stored: Sendable, Codable {
        let message: Message
        /// By the phones' clock, microseconds.
        let until: Int64
    }

    /// A card that was started to listen here.
    struct Listener: Sendable, Codable {
        let phone: Int
        let card: Int
    }

    /// Apple: a stored message is kept for eight hours at most.
    static let storedFor: Int64 = 8 * 3600 * 1_000_000

    /// Base64, as senders write it.
    let id: String
    /// Index of the app in the settings.
    let app: Int
    let environment: PushEnvironment
    let storage: Storage
    let createdAt: Int64
    /// A deleted channel takes no requests; what it has stored may still be delivered.
    var isDeleted = false
    var stored: Stored?
    var listeners: [Listener] = []
    var published = 0
    /// The newest accepted `timestamp`, Unix seconds.
    var newestTimestamp: Int64?
    var rate = TokenRate()
}
