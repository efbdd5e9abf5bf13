/// One push as the provider API takes it: POST /3/device/<token> to a phone, POST /4/broadcasts/apps/<bundle id> to all
/// phones that listen to a channel (Apple, "Sending notification requests to APNs" and "Sending broadcast push
/// notification requests to APNs").
package struct APNsRequest: Sendable {
    package enum Destination: Hashable, Sendable {
        /// An even number of hexadecimal digits; a secret.
        case device(token: String)
        /// A channel, as `APNsChannelClient` makes them, of an app; its bundle id without a suffix.
        case channel(id: String, bundleID: String)
    }

    package enum PushType: Sendable {
        case liveActivity
        case alert
        case background

        var headerValue: StaticString {
            switch self {
            case .liveActivity: "liveactivity"
            case .alert: "alert"
            case .background: "background"
            }
        }
    }

    package enum Priority: Int, Sendable {
        /// Sent when it suits the phone's power.
        case considerate = 5
        /// Sent at once.
        case immediate = 10

        var headerValue: StaticString {
            switch self {
            case .considerate: "5"
            case .immediate: "10"
            }
        }
    }

    package var destination: Destination
    /// Of a push to a device; channels have none, and it is not sent there.
    package var topic: String
    package var pushType: PushType
    package var priority: Priority
    /// Unix seconds after which APNs may drop the push; 0 for one attempt and no storage.
    package var expiration: Int64
    /// A lower-case UUID of this attempt: `apns-id`, or `apns-request-id` to a channel.
    package var apnsID: String
    /// At most 64 bytes, or nil; of use on start pushes only.
    package var collapseID: String?
    /// JSON of at most 4096 bytes, or 5120 to a channel.
    package var payload: [UInt8]
    /// Whether APNs may well call the token bad. Such a push goes over a connection of its own, because every
    /// `BadDeviceToken` lowers the number of streams that APNs allows on the connection it was sent on (P10, P41).
    package var isDoubtful = false

    /// A push to one phone.
    package init(
        token: String,
        topic: String,
        pushType: PushType = .liveActivity,
        priority: Priority,
        expiration: Int64,
        apnsID: String,
        collapseID: String? = nil,
        payload: [UInt8]
    ) {
        destination = .device(token: token)
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.apnsID = apnsID
        self.collapseID = collapseID
        self.payload = payload
    }

    /// An update or end to a channel. `expiration` must be 0 where the channel stores nothing (sender rule 49).
    package init(
        channel id: String,
        bundleID: String,
        priority: Priority,
        expiration: Int64,
        apnsID: String,
        payload: [UInt8]
    ) {
        destination = .channel(id: id, bundleID: bundleID)
        topic = ""
        pushType = .liveActivity
        self.priority = priority
        self.expiration = expiration
        self.apnsID = apnsID
        self.payload = payload
    }
}
