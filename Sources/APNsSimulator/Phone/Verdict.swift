/// What became of an accepted push on the phone. None of it is visible to the sender (contract 47).
package enum Verdict: String, Sendable, CaseIterable, Codable {
    /// The card shows it.
    case applied
    /// An ordinary notification was shown.
    case notified
    /// The person does not let the app notify.
    case notificationsOff
    /// Accepted, and not there yet.
    case underWay
    /// The phone is offline; APNs keeps the push.
    case stored
    /// Stored, then replaced by a newer push of the same app (contract 29).
    case replaced
    /// Offline, and the push must not or no longer be kept.
    case expired
    /// No budget of priority 10 left; the phone keeps the push until there is (contract 41).
    case deferred
    /// No usable `aps`, event or timestamp.
    case malformed
    /// `start` to an update token, `update` and `end` to a start token, or a start of another type than its token's.
    case wrongTokenKind
    case activitiesDisabled
    case alertMissing
    case unknownAttributesType
    case attributesUndecodable
    case stateUndecodable
    /// Attributes and content state together exceed 4,096 bytes.
    case tooLarge
    /// `input-push-channel` on a system before 18, or a channel nobody made.
    case channelUnsupported
    /// Push-to-start budget exceeded (contract 5.11).
    case startBudgetExceeded
    case tooManyActivities
    /// The start token died without anyone being told (contract 4.2.6).
    case silentlyDead
    /// The person never answered the Allow prompt (contract 36).
    case promptIgnored
    /// The person answered it with Don't Allow.
    case promptDenied
    /// No budget of priority 10 left, and the phone dropped the push (contract 41).
    case urgentBudgetExceeded
    /// The card had ended or was dismissed.
    case cardOver
    /// Older than the newest applied push of the card.
    case olderTimestamp
    case timestampTooFarAhead
    case uninstalled

    package var isApplied: Bool { self == .applied || self == .notified }

    /// Whether the phone could not make sense of the payload.
    var isUndecodable: Bool {
        switch self {
        case .malformed, .unknownAttributesType, .attributesUndecodable, .stateUndecodable: true
        case .applied, .notified, .notificationsOff, .underWay, .stored, .replaced, .expired, .wrongTokenKind,
            .activitiesDisabled, .alertMissing, .tooLarge, .channelUnsupported, .startBudgetExceeded,
            .tooManyActivities, .silentlyDead,
            .promptIgnored, .promptDenied, .deferred, .urgentBudgetExceeded, .cardOver, .olderTimestamp,
            .timestampTooFarAhead, .uninstalled:
            false
        }
    }
}
