/// Behaviour that Apple leaves open, adjustable while the simulator runs (`POST /settings`).
struct Knobs: Sendable, Codable {
    /// How long a token keeps answering 200 after its death, microseconds of the phones' clock; nil is for ever
    /// (contract 24, 25).
    struct Lags: Sendable, Codable {
        var rotated: Int64? = 0
        var ended: Int64? = 300_000_000
        var dismissed: Int64? = 60_000_000
        var uninstalled: Int64? = 0
        /// The words for a token that was rotated away, and for one whose card is over.
        var rotatedReason = Reason.expiredToken
        var endedReason = Reason.unregistered
    }

    /// What requests may leave out or ask for (contract 11-13).
    struct Requests: Sendable, Codable {
        /// The word for a topic that the key has no right to, or that nobody has.
        var unknownTopic = Reason.topicDisallowed
        /// Answer 200 to a push without a type and deliver nothing.
        var dropsWithoutPushType = false
        /// Refuse priority 1 with `liveactivity`.
        var refusesPriorityOne = false
    }

    /// What is made of provider tokens and certificates (contract 18-23).
    struct Auth: Sendable, Codable {
        /// Refuse forms that APNs tolerates: no `alg`, `iat` as text, a signature in DER.
        var isStrict = false
        /// A connection on which a token has expired refuses everything from then on.
        var expiryIsFinal = false
        var revokedKey = Reason.invalidProviderToken
        /// A token of another team than the connection's first.
        var otherTeam = Reason.unrelatedKeyID
        var otherEnvironment = Reason.badEnvironmentKeyID
        /// Believe any client certificate for Live Activities too, instead of refusing it.
        var takesCertificates = false
    }

    /// What connections are announced and granted (contract 2, 4, 5).
    struct Transport: Sendable, Hashable, Codable {
        /// Of the first SETTINGS of new connections.
        var headerTableSize = 4096
        var maxFrameSize = 16_384
        var maxHeaderListSize = 8000
        /// How long a connection may be without a request, microseconds; nil: for ever.
        var idleTimeout: Int64?
        /// How long a request waits before it is processed, microseconds.
        var latency: Int64 = 0
        /// Requests wait, unprocessed, until this is false again.
        var holdsRequests = false

        var delaysRequests: Bool { latency > 0 || holdsRequests }
    }

    var transport = Transport()
    var lags = Lags()
    var storage = OfflineStorage.Limits()
    var transit = Transit.Limits()
    var phones = Phones()
    var requests = Requests()
    var auth = Auth()
    var rate = TokenRate.Limits()
    var standing = ConnectionStanding.Limits()
    /// Channels of one app in one environment (contract 48).
    var channelLimit = 10_000
}

extension Int64 {
    /// Of a number of seconds; what is too far away, is as far as it can be.
    var inMicroseconds: Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: 1_000_000)
        guard overflow else { return product }
        return self < 0 ? .min : .max
    }

    /// The end of a lag that starts here; nil lags never end.
    func after(_ lag: Int64?) -> Int64 {
        guard let lag else { return .max }
        let (sum, overflow) = addingReportingOverflow(lag)
        return overflow ? .max : sum
    }
}
