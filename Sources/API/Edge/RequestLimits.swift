/// What callers may ask of one process (docs/configuration.md, `limits`).
package struct RequestLimits: Hashable, Sendable {
    /// By one key, or one source that signs.
    package var perKey = RateLimit(perSecond: 20_000)
    /// From one network address, by requests that bear no valid key.
    package var perAddress = RateLimit(perSecond: 100)
    /// Under way at once; what goes beyond is told to come back.
    package var underWay = 2_000
    /// That a customer's own token registers.
    package var devicesPerCustomer = 20
    package var proxies = TrustedProxies([])
    /// What the log tells of requests.
    package var accessLog = AccessLog.problems

    package init() {}

    /// Which requests have a line in the log.
    package enum AccessLog: String, Hashable, Sendable, CaseIterable {
        case all
        /// Those that were refused, failed, or took longer than a second.
        case problems
        case off
    }
}
