/// A request as it came off the wire.
package struct PushRequest: Sendable {
    package struct Header: Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package let method: String
    package let path: String
    /// Names in lower case, pseudo-headers left out.
    package let headers: [Header]
    package let body: [UInt8]

    package init(method: String = "POST", path: String, headers: [Header], body: [UInt8]) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    func first(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// A request that passed the rules: the same facts, typed.
struct PushOrder: Sendable {
    /// Lower-case hex.
    let token: String
    let recipient: Recipient
    let topic: String
    let pushType: PushType?
    let priority: Int
    /// Unix seconds; nil leaves storage to APNs' own policy.
    let expiration: Int64?
    let collapseID: String?
    let body: [UInt8]
}

/// The push types of Apple's "Sending notification requests to APNs".
enum PushType: String, Sendable {
    case alert
    case background
    case complication
    case controls
    case fileprovider
    case liveactivity
    case location
    case mdm
    case pushtotalk
    case voip
    case widgets
}

/// Whom a token leads to.
struct Recipient: Hashable, Sendable, Codable {
    /// What a token may be used for (contract 4.1).
    enum Kind: String, Sendable, CaseIterable, Codable {
        /// An ordinary token: alerts, with the bare bundle id as topic.
        case device
        /// Push-to-start: `event: start` only.
        case start
        /// One activity: `update` and `end`.
        case update
        /// Every activity that listens to a channel: `update` and `end`.
        case channel
    }

    let kind: Kind
    let environment: PushEnvironment
    /// Index of the app in the settings.
    let app: Int
    /// Index of the phone in the world.
    let phone: Int
    /// Index of the card on the phone, for update tokens and channels.
    let card: Int?
    /// The only type that a start token starts; nil: every type of the app.
    var attributesType: String?
}
