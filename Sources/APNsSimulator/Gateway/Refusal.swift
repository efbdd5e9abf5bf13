/// Why APNs says no: the reason strings of Apple's "Handling notification responses from APNs" for `/3/device` and, at the
/// end, those that "Handling error responses from APNs" adds for broadcasts and channels.
package enum Reason: String, Sendable, CaseIterable, Codable {
    case badCollapseID = "BadCollapseId"
    case badDeviceToken = "BadDeviceToken"
    case badExpirationDate = "BadExpirationDate"
    case badMessageID = "BadMessageId"
    case badPriority = "BadPriority"
    case badTopic = "BadTopic"
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    case duplicateHeaders = "DuplicateHeaders"
    case idleTimeout = "IdleTimeout"
    case invalidPushType = "InvalidPushType"
    case missingDeviceToken = "MissingDeviceToken"
    case missingTopic = "MissingTopic"
    case payloadEmpty = "PayloadEmpty"
    case topicDisallowed = "TopicDisallowed"
    case badCertificate = "BadCertificate"
    case badCertificateEnvironment = "BadCertificateEnvironment"
    case expiredProviderToken = "ExpiredProviderToken"
    case forbidden = "Forbidden"
    case invalidProviderToken = "InvalidProviderToken"
    case missingProviderToken = "MissingProviderToken"
    case unrelatedKeyID = "UnrelatedKeyIdInToken"
    case badEnvironmentKeyID = "BadEnvironmentKeyIdInToken"
    /// The same, as APNs has been seen to spell it (contract C2).
    case badEnvironmentKey = "BadEnvironmentKeyInToken"
    case badPath = "BadPath"
    case methodNotAllowed = "MethodNotAllowed"
    case expiredToken = "ExpiredToken"
    case unregistered = "Unregistered"
    case payloadTooLarge = "PayloadTooLarge"
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    case tooManyRequests = "TooManyRequests"
    case internalServerError = "InternalServerError"
    case serviceUnavailable = "ServiceUnavailable"
    case shutdown = "Shutdown"
    case featureNotEnabled = "FeatureNotEnabled"
    case missingChannelID = "MissingChannelId"
    case badChannelID = "BadChannelId"
    case channelNotRegistered = "ChannelNotRegistered"
    case badRequestParams = "BadRequestParams"
    case badRequestPayload = "BadRequestPayload"
    case missingPushType = "MissingPushType"
    case cannotCreateChannelConfig = "CannotCreateChannelConfig"
    case topicMismatch = "TopicMismatch"

    /// The HTTP status Apple's table gives it.
    package var status: Int {
        switch self {
        case .badCollapseID, .badDeviceToken, .badExpirationDate, .badMessageID, .badPriority, .badTopic,
            .deviceTokenNotForTopic, .duplicateHeaders, .idleTimeout, .invalidPushType, .missingDeviceToken,
            .missingTopic, .payloadEmpty, .topicDisallowed, .featureNotEnabled, .missingChannelID, .badChannelID,
            .channelNotRegistered, .badRequestParams, .badRequestPayload, .missingPushType, .cannotCreateChannelConfig:
            400
        case .badCertificate, .badCertificateEnvironment, .expiredProviderToken, .forbidden, .invalidProviderToken,
            .missingProviderToken, .unrelatedKeyID, .badEnvironmentKeyID, .badEnvironmentKey, .topicMismatch:
            403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .expiredToken, .unregistered: 410
        case .payloadTooLarge: 413
        case .tooManyProviderTokenUpdates, .tooManyRequests: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown: 503
        }
    }
}

extension Reason {
    /// The sender rule that a request answered so has broken; nil where the answer is part of normal life or a matter
    /// of configuration.
    var senderFault: Violation.Rule? {
        switch self {
        case .payloadTooLarge: .oversizedPayload
        case .tooManyRequests: .tooManyRequests
        case .badCollapseID, .badDeviceToken, .badExpirationDate, .badMessageID, .badPriority, .badTopic,
            .deviceTokenNotForTopic, .duplicateHeaders, .invalidPushType, .missingDeviceToken, .missingTopic,
            .payloadEmpty, .topicDisallowed, .expiredProviderToken, .invalidProviderToken, .missingProviderToken,
            .unrelatedKeyID, .badEnvironmentKeyID, .badEnvironmentKey, .badPath, .methodNotAllowed,
            .tooManyProviderTokenUpdates,
            .missingChannelID, .badChannelID, .channelNotRegistered, .badRequestParams, .badRequestPayload,
            .missingPushType, .topicMismatch:
            .refusedRequest
        case .idleTimeout, .badCertificate, .badCertificateEnvironment, .forbidden, .expiredToken, .unregistered,
            .internalServerError, .serviceUnavailable, .shutdown, .featureNotEnabled, .cannotCreateChannelConfig:
            nil
        }
    }
}

/// One answer that is not 200.
package struct Refusal: Error, Hashable, Sendable {
    package var status: Int
    /// The `reason` of the body, as written on the wire; a scripted fault may use a word Apple does not know.
    package var reason: String
    /// For 410: when the token died, in milliseconds since 1970.
    package var timestampMilliseconds: Int64?

    package init(_ reason: Reason, timestampMilliseconds: Int64? = nil) {
        self.init(status: reason.status, reason: reason.rawValue, timestampMilliseconds: timestampMilliseconds)
    }

    package init(status: Int, reason: String, timestampMilliseconds: Int64? = nil) {
        self.status = status
        self.reason = reason
        self.timestampMilliseconds = timestampMilliseconds
    }
}
