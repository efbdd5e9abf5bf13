package import Tracking

extension TimerKind {
    /// What is awaited until the timer rings.
    package var meaning: String {
        switch self {
        case .stale: "news that confirms what the card shows"
        case .tokenWait: "the card's update token"
        case .ambiguity: "a sign of the card whose start was not answered"
        case .deadline: "the end of the order: no card shows one for longer"
        case .lifetime: "the end of the order: iOS ends the card soon"
        case .unconfirmed: "a sign that the card is gone: by then it is"
        case .startWait: "the moment at which a start may be asked for again"
        case .rollover: "the end of the order: then the next card starts"
        case .attemptWait: "another attempt to deliver"
        case .commandWait: "the partner's answer to the customer's request"
        }
    }
}

extension Activity {
    /// What happens next to this card, as far as it is known at `now`; times are told by `say`.
    package func outlook(at now: Instant, say: (Instant) -> String) -> String {
        if startInFlight { return "APNs answers the start." }
        if let intention { return outlook(intention, now, say) }
        switch state {
        case .none:
            return startOutlook(say)
        case .starting:
            return "The app hands over the card's update token; until then nothing can reach the card."
        case .maybeStarted:
            return "The app registers the card, or lists its cards without it."
        case .liveOnChannel where mustEnd != nil:
            return "It cannot be told alone: the answer to the app's list of its cards names it, and the app ends it."
        case .liveOnChannel:
            return "The next change that can be seen is told on the order's channel when it happens."
        case .live:
            return "The next change that can be seen is sent when it happens."
        case .localOnly:
            return "The app hands over a token, or updates the card itself."
        case .ending:
            return "The end is sent when the app hands over a token."
        case .unreachable:
            return "The app hands over a new token when it is opened."
        case .dismissed, .ended:
            return "Nothing: this card is over."
        }
    }

    private func outlook(_ intention: Intention, _ now: Instant, _ say: (Instant) -> String) -> String {
        let push =
            switch intention.verb {
            case .start: "The start"
            case .update: "The update"
            case .end: "The end"
            case .alert: "The alert"
            case .openChannel: "The request for a channel"
            case .closeChannel: "The request to delete the channel"
            }
        guard let due = intention.dueAt else {
            return listens
                ? "\(push) leaves on the order's channel." : "\(push) leaves when the app hands over the update token."
        }
        return due > now ? "\(push) leaves at \(say(due))." : "\(push) leaves now."
    }

    private func startOutlook(_ say: (Instant) -> String) -> String {
        switch grant {
        case .requested: "The phone's own record answers whether there is room."
        case .refused(let until?): "A start is asked for again at \(say(until))."
        case .refused(nil): "It starts when another card of the phone ends."
        case .none, .granted: "Nothing for now. \(reason.meaning)"
        }
    }
}
