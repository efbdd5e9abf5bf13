/// What to do after an attempt to push. Every outcome has exactly one remedy: reasons decide first, the class of the
/// status second (sender rules 39 to 47).
package enum Remedy: Hashable, Sendable {
    /// Accepted: nothing to do.
    case none
    /// The token is dead. Forget it unless it was registered again after `since`, in milliseconds since 1970 (nil:
    /// unknown, so compare by value). No retry, no alarm; not proof that the activity ended.
    case forgetToken(since: Int64?)
    /// The token is of another kind, topic or environment. No retry; set it aside, and if many fail so, suspect the
    /// configuration and stop.
    case quarantineToken
    /// The key is not accepted. Stop using it, tell the operator, no retry.
    case stopKey
    /// The topic is not accepted. Stop pushing to it, tell the operator, no retry.
    case stopTopic
    /// There is no such channel any more. Publish to it no longer; make another if its event goes on.
    case forgetChannel
    /// The app has as many channels as it may. Delete those of events that are over; no retry before.
    case deleteChannels
    /// Keep the provider token and mint none for 20 minutes; send again later.
    case keepProviderToken
    /// The provider token counts as expired even after a fresh one was tried: compare clocks; send again later.
    case checkClock
    /// The connection was the trouble and has been replaced: send again.
    case sendAgain
    /// Too many pushes to this token: wait, longer each time, and send only the newest state.
    case slowDownToken
    /// APNs is in trouble: wait, longer each time, up to 15 minutes; send only what is still true.
    case backOff
    /// Nobody knows whether it was processed: send the newest state, never the same bytes; never repeat a start.
    case sendNewestState
    /// The payload is too large: no retry; a defect to be fixed.
    case shrinkPayload
    /// The request was wrong: no retry; a defect to be fixed.
    case drop

    package init(for outcome: APNsOutcome) {
        switch outcome {
        case .answered(let answer): self.init(for: answer)
        case .unknown: self = .sendNewestState
        case .unsent(let failure):
            switch failure.code {
            case .invalidRequest: self = .drop
            case .unreachable, .misconfigured, .signing, .refused, .lost, .deadline, .stopped: self = .sendAgain
            }
        }
    }

    package init(for answer: APNsAnswer) {
        if (200..<300).contains(answer.status) {
            self = .none
        } else if let reason = answer.reason, let known = Self.known[reason] {
            self = known
        } else {
            self.init(forClassOf: answer.status)
        }
        if case .forgetToken = self { self = .forgetToken(since: answer.timestampMilliseconds) }
    }

    /// For reasons nobody has heard of yet.
    private init(forClassOf status: Int) {
        switch status {
        case 403: self = .stopKey
        case 410: self = .forgetToken(since: nil)
        case 413: self = .shrinkPayload
        case 429: self = .slowDownToken
        case 400..<500: self = .drop
        default: self = .backOff
        }
    }

    private static let known: [RejectionReason: Remedy] = [
        .badCollapseID: .drop,
        .badDeviceToken: .quarantineToken,
        .badExpirationDate: .drop,
        .badMessageID: .drop,
        .badPriority: .drop,
        .badTopic: .stopTopic,
        .deviceTokenNotForTopic: .quarantineToken,
        .duplicateHeaders: .drop,
        .idleTimeout: .sendAgain,
        .invalidPushType: .drop,
        .missingDeviceToken: .drop,
        .missingTopic: .stopTopic,
        .payloadEmpty: .drop,
        .topicDisallowed: .stopTopic,
        .badCertificate: .stopKey,
        .badCertificateEnvironment: .stopKey,
        .expiredProviderToken: .checkClock,
        .forbidden: .stopKey,
        .invalidProviderToken: .stopKey,
        .missingProviderToken: .drop,
        .unrelatedKeyIDInToken: .sendAgain,
        .badEnvironmentKeyIDInToken: .stopKey,
        .badEnvironmentKeyInToken: .stopKey,
        .badPath: .drop,
        .methodNotAllowed: .drop,
        .expiredToken: .forgetToken(since: nil),
        .unregistered: .forgetToken(since: nil),
        .payloadTooLarge: .shrinkPayload,
        .tooManyProviderTokenUpdates: .keepProviderToken,
        .tooManyRequests: .slowDownToken,
        .internalServerError: .backOff,
        .serviceUnavailable: .backOff,
        .serviceUnavailableInTwoWords: .backOff,
        .shutdown: .backOff,
        .badChannelID: .forgetChannel,
        .badRequestParams: .drop,
        .badRequestPayload: .drop,
        .cannotCreateChannelConfig: .deleteChannels,
        .channelNotRegistered: .forgetChannel,
        .featureNotEnabled: .forgetChannel,
        .missingChannelID: .drop,
        .missingPushType: .drop,
        .topicMismatch: .stopTopic,
    ]
}
