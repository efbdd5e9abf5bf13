/// The service cannot take this call now; the caller should come back.
package struct Unavailable: Error, Hashable, Sendable {
    package enum Code: Hashable, Sendable, CaseIterable {
        /// This caller asks too often: 429.
        case rateLimited
        /// The queues are full: 503.
        case overloaded
        /// The database does not answer, or the outcome of a commit is unknown: 503.
        case databaseUnavailable
    }

    package let code: Code
    /// Goes out as `Retry-After`; at least 1.
    package let retryAfterSeconds: Int

    package init(_ code: Code, retryAfterSeconds: Int = 1) {
        self.code = code
        self.retryAfterSeconds = max(1, retryAfterSeconds)
    }
}
