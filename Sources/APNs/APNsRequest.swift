/// One push as the provider API takes it: POST /3/device/<token> (Apple, "Sending notification requests to APNs").
package struct APNsRequest: Sendable {
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

    /// An even number of hexadecimal digits; a secret.
    package var token: String
    package var topic: String
    package var pushType: PushType
    package var priority: Priority
    /// Unix seconds after which APNs may drop the push; 0 for one attempt and no storage.
    package var expiration: Int64
    /// A lower-case UUID of this attempt.
    package var apnsID: String
    /// At most 64 bytes, or nil; of use on start pushes only.
    package var collapseID: String?
    /// At most 4096 bytes of JSON.
    package var payload: [UInt8]

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
        self.token = token
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.apnsID = apnsID
        self.collapseID = collapseID
        self.payload = payload
    }

    package static let maxPayloadBytes = 4096
    package static let maxCollapseIDBytes = 64

    /// Why APNs would certainly refuse the push, checked before it costs standing with APNs (sender rules 19 to 21).
    package var problem: String? {
        guard !token.isEmpty, token.utf8.count.isMultiple(of: 2), isHexadecimal(token) else {
            return "the token is not an even number of hexadecimal digits"
        }
        if payload.isEmpty { return "the payload is empty" }
        if payload.count > Self.maxPayloadBytes { return "the payload has \(payload.count) bytes of at most 4096" }
        if topic.isEmpty { return "the topic is empty" }
        if let collapseID, collapseID.isEmpty || collapseID.utf8.count > Self.maxCollapseIDBytes {
            return "the collapse id is empty or longer than 64 bytes"
        }
        if expiration < 0 { return "the expiration is negative" }
        return nil
    }
}

/// Over the bytes as they lie in memory, because every push is checked.
private func isHexadecimal(_ text: String) -> Bool {
    let bytes = text.utf8.span
    for index in bytes.indices where !isHexDigit(bytes[index]) { return false }
    return true
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
    default: false
    }
}
