package import Crypto
package import Tracking

/// A push that this process alone may send now: its slot is claimed and the claim is committed.
package struct ClaimedPush: Sendable {
    package let card: CardKey
    package let intention: Intention
    /// Hexadecimal digits.
    package let token: String
    /// Which update token it is; 0 for a start.
    package let generation: Int
    /// The payload's timestamp, in seconds; larger than any before for this card.
    package let stamp: Int64
    /// Names the attempt: the apns-id.
    package let claim: UUID128
}

/// What became of a push.
package enum PushResult: Sendable {
    case accepted(bytes: Int)
    /// `status` is 0 when it never left; `deadSince` Apple's time of death of the token.
    case refused(status: Int, reason: String, remedy: RefusalRemedy, deadSince: Instant?, bytes: Int)
    /// It may or may not have reached the phone.
    case lost
}

/// Delivers pushes to APNs.
package protocol PushGateway: Sendable {
    /// Whether pushes of this app can leave now; while they cannot, nothing is claimed.
    func isOpen(_ app: Directory.App, _ environment: APNsEnvironment) async -> Bool

    func send(_ push: ClaimedPush, app: Directory.App) async -> PushResult
}
