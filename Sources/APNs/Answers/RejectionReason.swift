/// Why APNs refused a push, or a request about channels: its `reason` string. A struct, because Apple adds reasons;
/// those it documents have names (Apple, "Handling notification responses from APNs" and "Handling error responses from
/// Apple Push Notification service").
package struct RejectionReason: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }

    // 400
    package static let badCollapseID = RejectionReason(rawValue: "BadCollapseId")
    package static let badDeviceToken = RejectionReason(rawValue: "BadDeviceToken")
    package static let badExpirationDate = RejectionReason(rawValue: "BadExpirationDate")
    package static let badMessageID = RejectionReason(rawValue: "BadMessageId")
    package static let badPriority = RejectionReason(rawValue: "BadPriority")
    package static let badTopic = RejectionReason(rawValue: "BadTopic")
    package static let deviceTokenNotForTopic = RejectionReason(rawValue: "DeviceTokenNotForTopic")
    package static let duplicateHeaders = RejectionReason(rawValue: "DuplicateHeaders")
    package static let idleTimeout = RejectionReason(rawValue: "IdleTimeout")
    package static let invalidPushType = RejectionReason(rawValue: "InvalidPushType")
    package static let missingDeviceToken = RejectionReason(rawValue: "MissingDeviceToken")
    package static let missingTopic = RejectionReason(rawValue: "MissingTopic")
    package static let payloadEmpty = RejectionReason(rawValue: "PayloadEmpty")
    package static let topicDisallowed = RejectionReason(rawValue: "TopicDisallowed")
    // 403
    package static let badCertificate = RejectionReason(rawValue: "BadCertificate")
    package static let badCertificateEnvironment = RejectionReason(rawValue: "BadCertificateEnvironment")
    package static let expiredProviderToken = RejectionReason(rawValue: "ExpiredProviderToken")
    package static let forbidden = RejectionReason(rawValue: "Forbidden")
    package static let invalidProviderToken = RejectionReason(rawValue: "InvalidProviderToken")
    package static let missingProviderToken = RejectionReason(rawValue: "MissingProviderToken")
    package static let unrelatedKeyIDInToken = RejectionReason(rawValue: "UnrelatedKeyIdInToken")
    package static let badEnvironmentKeyIDInToken = RejectionReason(rawValue: "BadEnvironmentKeyIdInToken")
    /// Another spelling of the one above, seen in the field.
    package static let badEnvironmentKeyInToken = RejectionReason(rawValue: "BadEnvironmentKeyInToken")
    // 404, 405
    package static let badPath = RejectionReason(rawValue: "BadPath")
    package static let methodNotAllowed = RejectionReason(rawValue: "MethodNotAllowed")
    // 410; ExpiredToken was documented as 400 earlier
    package static let expiredToken = RejectionReason(rawValue: "ExpiredToken")
    package static let unregistered = RejectionReason(rawValue: "Unregistered")
    // 413
    package static let payloadTooLarge = RejectionReason(rawValue: "PayloadTooLarge")
    // 429
    package static let tooManyProviderTokenUpdates = RejectionReason(rawValue: "TooManyProviderTokenUpdates")
    package static let tooManyRequests = RejectionReason(rawValue: "TooManyRequests")
    // 500, 503
    package static let internalServerError = RejectionReason(rawValue: "InternalServerError")
    package static let serviceUnavailable = RejectionReason(rawValue: "ServiceUnavailable")
    package static let shutdown = RejectionReason(rawValue: "Shutdown")
    /// As broadcast answers spell it.
    package static let serviceUnavailableInTwoWords = RejectionReason(rawValue: "Service Unavailable")
}

/// Reasons of broadcast alone.
extension RejectionReason {
    // 400
    package static let badChannelID = RejectionReason(rawValue: "BadChannelId")
    package static let badRequestParams = RejectionReason(rawValue: "BadRequestParams")
    package static let badRequestPayload = RejectionReason(rawValue: "BadRequestPayload")
    /// The app has 10,000 channels.
    package static let cannotCreateChannelConfig = RejectionReason(rawValue: "CannotCreateChannelConfig")
    package static let channelNotRegistered = RejectionReason(rawValue: "ChannelNotRegistered")
    /// Broadcast is not switched on for the app.
    package static let featureNotEnabled = RejectionReason(rawValue: "FeatureNotEnabled")
    package static let missingChannelID = RejectionReason(rawValue: "MissingChannelId")
    package static let missingPushType = RejectionReason(rawValue: "MissingPushType")
    // 403
    /// The key does not know the app.
    package static let topicMismatch = RejectionReason(rawValue: "TopicMismatch")
}
