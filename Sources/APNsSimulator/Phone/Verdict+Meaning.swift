extension Verdict {
    /// The line of the phone's log, with what exactly was wrong.
    func line(_ detail: String?) -> String {
        guard let detail else { return meaning }
        // The words of a real phone's log (contract 5.11).
        if self == .startBudgetExceeded { return "Push-to-start budget exceeded for \(detail), not starting activity" }
        return "\(meaning): \(detail)"
    }

    /// Why the phone does not show a push, or that it does, in the words of the phone's log and of the live page.
    var meaning: String {
        switch self {
        case .applied: "shown"
        case .notified: "shown as a notification"
        case .notificationsOff: "not shown: notifications are off"
        case .underWay: "on its way to the phone"
        case .stored: "kept by APNs: the phone is offline"
        case .replaced: "lost: a newer push took its place before it was delivered"
        case .expired: "lost: expired before it could be delivered"
        case .deferred: "waits: the hourly budget of priority 10 is spent"
        case .malformed: "ignored: no usable aps, event or timestamp"
        case .wrongTokenKind: "ignored: the event does not go with the kind of token"
        case .activitiesDisabled: "ignored: Live Activities are off"
        case .alertMissing: "ignored: a start needs an alert"
        case .unknownAttributesType: "ignored: the app has no type of this name"
        case .attributesUndecodable, .stateUndecodable: "decode failure"
        case .tooLarge: "ignored: attributes and content-state exceed 4096 bytes"
        case .channelUnsupported: "ignored: no such channel, or a system before iOS 18"
        case .startBudgetExceeded: "Push-to-start budget exceeded, not starting activity"
        case .tooManyActivities: "ignored: too many activities"
        case .silentlyDead: "ignored: the start token has silently died"
        case .promptIgnored: "ignored: nobody has answered whether to allow Live Activities"
        case .promptDenied: "taken away: the person tapped Don’t Allow"
        case .urgentBudgetExceeded: "dropped: the hourly budget of priority 10 is spent"
        case .cardOver: "ignored: the card is over"
        case .olderTimestamp: "ignored: older than what the card shows"
        case .timestampTooFarAhead: "ignored: the timestamp is too far ahead"
        case .uninstalled: "lost: the app was removed"
        }
    }
}
