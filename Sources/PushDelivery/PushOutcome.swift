package import APNs
package import Tracking

/// What an attempt came to, in the words of the card's stream.
package enum PushOutcome: Hashable, Sendable {
    /// APNs took it; whether a person saw it only the app can tell (contract rule 38).
    case accepted
    /// `status` is 0 when it never left; `deadSince` is Apple's time of death of the token.
    case refused(status: Int, reason: String, remedy: RefusalRemedy, deadSince: Instant?)
    /// APNs made a channel, or deleted it.
    case channelOpened(ChannelID)
    case channelClosed
    /// It may or may not have reached the phone.
    case lost

    /// While an app's own settings are suspected, a bad token is no reason to give its push up: it leaves again when they are
    /// mended.
    package init(_ outcome: APNsOutcome, suspectsSettings: Bool = false) {
        let remedy = Remedy(for: outcome)
        let known = suspectsSettings && remedy == .quarantineToken ? .retry : RefusalRemedy(remedy)
        guard let refusal = known else {
            self = remedy == .none ? .accepted : .lost
            return
        }
        switch outcome {
        case .answered(let answer):
            self = .refused(
                status: answer.status,
                reason: answer.reason?.rawValue ?? "",
                remedy: refusal,
                deadSince: remedy.deadSince
            )
        case .unsent(let failure), .unknown(let failure):
            self = .refused(status: 0, reason: failure.code.rawValue, remedy: refusal, deadSince: nil)
        }
    }
}

extension RefusalRemedy {
    /// What a card does about APNs' answer; nil where there was no refusal.
    ///
    /// A stopped key or topic is the operator's to mend: until then the newest state is offered again at growing
    /// distances, so that the phone catches up when it is. A token of another kind, topic or environment is not deleted:
    /// as likely our own settings are wrong, and then all tokens would go (field case P39).
    package init?(_ remedy: Remedy) {
        switch remedy {
        case .none, .sendNewestState: return nil
        case .forgetToken, .forgetChannel: self = .forgetToken
        case .stopKey, .stopTopic, .keepProviderToken, .checkClock, .sendAgain, .slowDownToken, .backOff: self = .retry
        case .quarantineToken, .deleteChannels, .shrinkPayload, .drop: self = .drop
        }
    }
}

extension Remedy {
    fileprivate var deadSince: Instant? {
        guard case .forgetToken(let since) = self else { return nil }
        return since.map { Instant(microseconds: $0 * 1000) }
    }
}
