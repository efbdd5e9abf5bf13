package import Crypto
package import PostgresStore
package import PushDelivery
package import Tracking

/// A push that this process alone may send now: its slot is claimed and the claim is committed.
package struct ClaimedPush: Sendable {
    package let card: CardKey
    package let intention: Intention
    package let token: Token
    /// Which update token it is; 0 for a start.
    package let generation: Int
    /// The payload's timestamp, in seconds; larger than any before for this card.
    package let stamp: Int64
    /// Names the attempt: the apns-id.
    package let claim: UUID128

    package enum Token: Hashable, Sendable {
        /// Hexadecimal digits.
        case known(String)
        /// Taken away since the decision.
        case gone
        /// Sealed with another key than this process has.
        case unreadable
        /// It goes to a channel.
        case none
    }

    /// An alert that waited until it tells nothing any more.
    var isSpent: Bool { intention.verb == .alert && intention.alerts.isEmpty }
}

extension CardKey {
    /// It stands for the order's channel.
    var isChannel: Bool { incarnation == Channel.incarnation }
}

/// What came of an attempt to deliver.
package struct Delivery: Sendable {
    package let outcome: PushOutcome
    /// The payload's size and the contract it was written in; nothing where none was written.
    package let bytes: Int
    package let contract: String?

    package init(_ outcome: PushOutcome, bytes: Int = 0, contract: String? = nil) {
        self.outcome = outcome
        self.bytes = bytes
        self.contract = contract
    }
}

/// Delivers pushes to APNs.
package protocol PushGateway: Sendable {
    /// Whether pushes of this app can leave now; while they cannot, nothing is claimed.
    func isOpen(_ app: Directory.App) -> Bool

    /// Sends it and waits for the answer.
    func send(_ push: ClaimedPush, app: Directory.App, now: Instant) async -> Delivery
}
