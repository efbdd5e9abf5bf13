/// Every knob there is; what each means stands at its member of `Knobs` and in docs/simulator.md.
extension Knob {
    static let all = gateway + phones

    private static let gateway: [Knob] = [
        .seconds("rotatedLagSeconds", \.lags.rotated),
        .seconds("endedLagSeconds", \.lags.ended),
        .seconds("dismissedLagSeconds", \.lags.dismissed),
        .seconds("uninstalledLagSeconds", \.lags.uninstalled),
        .word("rotatedReason", \.lags.rotatedReason, of: [.expiredToken, .unregistered]),
        .word("endedReason", \.lags.endedReason, of: [.unregistered, .expiredToken]),
        .number("requestsPerSecond", \.rate.perSecond, from: 0.001),
        .number("requestBurst", \.rate.burst, from: 1),
        .count("untrustedStreams", \.standing.untrusted, .whole(1...Int(Int32.max))),
        .count("trustedStreams", \.standing.trusted, .whole(1...Int(Int32.max))),
        .count("slowAt", \.standing.slowAt),
        .count("disconnectAt", \.standing.disconnectAt),
        .count("headerTableSize", \.transport.headerTableSize),
        .count("maxFrameSize", \.transport.maxFrameSize, .frameSize),
        .count("maxHeaderListSize", \.transport.maxHeaderListSize),
        .seconds("idleTimeoutSeconds", \.transport.idleTimeout),
        .seconds("latencySeconds", \.transport.latency),
        .flag("holdsRequests", \.transport.holdsRequests),
        .word("storageSlot", \.storage.slot),
        .share("newestWins", \.storage.newestWins),
        .seconds("opportunisticDelaySeconds", \.transit.opportunisticDelay),
        .seconds("opportunisticGroupSeconds", \.transit.opportunisticGroup),
        .share("reorderedShare", \.transit.reordered),
        .count("channelLimit", \.channelLimit),
        .word("unknownTopicReason", \.requests.unknownTopic, of: [.topicDisallowed, .badTopic]),
        .flag("dropsWithoutPushType", \.requests.dropsWithoutPushType),
        .flag("refusesPriorityOne", \.requests.refusesPriorityOne),
        .flag("strictProviderTokens", \.auth.isStrict),
        .flag("expiryIsFinal", \.auth.expiryIsFinal),
        .word("revokedKeyReason", \.auth.revokedKey, of: [.invalidProviderToken, .forbidden]),
        .word("otherTeamReason", \.auth.otherTeam, of: [.unrelatedKeyID, .invalidProviderToken]),
        .word("otherEnvironmentReason", \.auth.otherEnvironment, of: [.badEnvironmentKeyID, .badEnvironmentKey]),
        .flag("takesCertificates", \.auth.takesCertificates),
    ]

    static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
