import APNs
import Testing

/// Sender rules 39 to 46: what an answer asks for.
struct RemedyRulesTests {
    /// Every reason Apple documents for pushes and channels, with its status.
    private static let documented: [(Int, RejectionReason, Remedy)] = [
        (400, .badCollapseID, .drop),
        (400, .badDeviceToken, .quarantineToken),
        (400, .badExpirationDate, .drop),
        (400, .badMessageID, .drop),
        (400, .badPriority, .drop),
        (400, .badTopic, .stopTopic),
        (400, .deviceTokenNotForTopic, .quarantineToken),
        (400, .duplicateHeaders, .drop),
        (400, .idleTimeout, .sendAgain),
        (400, .invalidPushType, .drop),
        (400, .missingDeviceToken, .drop),
        (400, .missingTopic, .stopTopic),
        (400, .payloadEmpty, .drop),
        (400, .topicDisallowed, .stopTopic),
        (403, .badCertificate, .stopKey),
        (403, .badCertificateEnvironment, .stopKey),
        (403, .expiredProviderToken, .checkClock),
        (403, .forbidden, .stopKey),
        (403, .invalidProviderToken, .stopKey),
        (403, .missingProviderToken, .drop),
        (403, .unrelatedKeyIDInToken, .sendAgain),
        (403, .badEnvironmentKeyIDInToken, .stopKey),
        (403, .badEnvironmentKeyInToken, .stopKey),
        (404, .badPath, .drop),
        (405, .methodNotAllowed, .drop),
        (410, .expiredToken, .forgetToken(since: 1_790_000_000_123)),
        (410, .unregistered, .forgetToken(since: 1_790_000_000_123)),
        (413, .payloadTooLarge, .shrinkPayload),
        (429, .tooManyProviderTokenUpdates, .keepProviderToken),
        (429, .tooManyRequests, .slowDownToken),
        (500, .internalServerError, .backOff),
        (503, .serviceUnavailable, .backOff),
        (503, .serviceUnavailableInTwoWords, .backOff),
        (503, .shutdown, .backOff),
        (400, .badChannelID, .forgetChannel),
        (400, .badRequestParams, .drop),
        (400, .badRequestPayload, .drop),
        (400, .cannotCreateChannelConfig, .deleteChannels),
        (400, .channelNotRegistered, .forgetChannel),
        (400, .featureNotEnabled, .forgetChannel),
        (400, .missingChannelID, .drop),
        (400, .missingPushType, .drop),
        (403, .topicMismatch, .stopTopic),
    ]

    @Test func `rule 39: every documented reason has its remedy`() {
        // P41, P47
        #expect(Set(Self.documented.map(\.1)).count == 43)
        for (status, reason, remedy) in Self.documented {
            let answer = APNsAnswer(status: status, reason: reason, timestampMilliseconds: 1_790_000_000_123)
            #expect(Remedy(for: answer) == remedy, "\(reason)")
        }
    }

    @Test func `rule 39: the reason decides before the status`() {
        // ExpiredToken was documented as 400 once.
        let answer = APNsAnswer(status: 400, reason: .expiredToken, timestampMilliseconds: 5)
        #expect(Remedy(for: answer) == .forgetToken(since: 5))
    }

    @Test(arguments: [
        (200, Remedy.none), (201, .none), (204, .none), (400, .drop), (401, .drop), (403, .stopKey), (404, .drop),
        (410, .forgetToken(since: 7)),
        (413, .shrinkPayload), (429, .slowDownToken), (500, .backOff), (502, .backOff), (503, .backOff),
        (302, .backOff),
        (0, .backOff),
    ])
    func `rule 39: an unheard-of reason, or none, falls back to the class of the status`(status: Int, remedy: Remedy) {
        let reason = RejectionReason(rawValue: "SomethingNew")
        #expect(Remedy(for: APNsAnswer(status: status, reason: reason, timestampMilliseconds: 7)) == remedy)
        #expect(Remedy(for: APNsAnswer(status: status, timestampMilliseconds: 7)) == remedy)
    }

    @Test func `what is unsent goes again, what is unknown gives way to the newest state`() {
        // P07
        #expect(Remedy(for: .unsent(APNsFailure(.refused, ""))) == .sendAgain)
        #expect(Remedy(for: .unsent(APNsFailure(.unreachable, ""))) == .sendAgain)
        #expect(Remedy(for: .unsent(APNsFailure(.invalidRequest, ""))) == .drop)
        #expect(Remedy(for: .unknown(APNsFailure(.lost, ""))) == .sendNewestState)
    }
}
