/// How an attempt to push ended. Exactly one is reported for each.
package enum APNsOutcome: Sendable {
    /// APNs said yes or no. Yes means accepted by APNs, never seen by a person (sender rule 38).
    case answered(APNsAnswer)
    /// APNs certainly did not process it; the same push may be sent again.
    case unsent(APNsFailure)
    /// It left, and no answer came: APNs may have processed it. Never replay it; send the newest state (rule 24), and
    /// never repeat a start (rule 31).
    case unknown(APNsFailure)
}

/// What APNs answered.
package struct APNsAnswer: Hashable, Sendable {
    package var status: Int
    /// Nil on success, and when the body of a failure cannot be read.
    package var reason: RejectionReason?
    /// On 410: since when APNs knows that the token is dead, in milliseconds since 1970.
    package var timestampMilliseconds: Int64?
    /// Sandbox only: the key to the delivery log of Apple's console.
    package var apnsUniqueID: String?

    package init(
        status: Int,
        reason: RejectionReason? = nil,
        timestampMilliseconds: Int64? = nil,
        apnsUniqueID: String? = nil
    ) {
        self.status = status
        self.reason = reason
        self.timestampMilliseconds = timestampMilliseconds
        self.apnsUniqueID = apnsUniqueID
    }
}

/// Why a push got no answer.
package struct APNsFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The request breaks a rule that APNs would enforce; it was not sent.
        case invalidRequest
        /// No connection: the network, or the host, is away.
        case unreachable
        /// TLS failed or the peer speaks no HTTP/2: trust store, proxy or host are set up wrongly.
        case misconfigured
        /// The provider token could not be signed.
        case signing
        /// APNs refused the stream several times in a row.
        case refused
        /// The connection broke.
        case lost
        /// The deadline passed.
        case deadline
        /// This client is being stopped.
        case stopped
    }

    package let code: Code
    /// For people; holds neither tokens nor payloads.
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { "\(code.rawValue): \(detail)" }
}
