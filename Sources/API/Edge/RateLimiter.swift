internal import HTTPServer
internal import Runtime

/// Counts the requests of each caller, in this process.
///
/// A caller is a key, a source that signs, or, where neither is shown or it is refused, a network address. Memory is
/// bounded: who has not asked for a while is forgotten, which changes nothing for him.
final class RateLimiter: Sendable {
    /// Whose requests are counted together.
    enum Subject: Hashable, Sendable {
        /// By what a log calls it.
        case caller(String)
        case address(IPAddress)
    }

    private static let mostSubjects = 100_000

    private let limits: RequestLimits
    private let now: @Sendable () -> MonotonicTime
    private let buckets = Locked<[Subject: TokenBucket]>([:])

    init(_ limits: RequestLimits, now: @escaping @Sendable () -> MonotonicTime) {
        self.limits = limits
        self.now = now
    }

    /// Counts a request; what is left of the allowance, or the problem that tells when to come back.
    func take(_ subject: Subject) throws(Problem) -> Quota {
        let (policy, limit): (Quota.Policy, RateLimit) =
            switch subject {
            case .caller: (.key, limits.perKey)
            case .address: (.address, limits.perAddress)
            }
        let now = now()
        let verdict = buckets.withLock { buckets in
            if buckets.count >= Self.mostSubjects { buckets = buckets.filter { !$0.value.isFull(at: now) } }
            // More callers than that are busy at once: the service is shared among them all.
            if buckets.count >= Self.mostSubjects { buckets.removeAll() }
            return buckets[subject, default: TokenBucket(limit, at: now)].take(at: now)
        }
        switch verdict {
        case .granted(let left, let seconds):
            return Quota(policy: policy, limit: limit, left: left, resetSeconds: seconds)
        case .refused(let seconds):
            throw Problem(
                .rateLimited,
                "At most \(limit.perSecond) requests a second by one \(policy.rawValue), \(limit.burst) at once.",
                extra: .quotaExceeded(policy, retryAfter: seconds)
            )
        }
    }

    /// Counts a request that bears no valid key against the address it comes from. A machine's own address is none: it is
    /// that of tools, or of a proxy that was not named.
    func takeAddress(of request: HTTPRequest) throws(Problem) -> Quota? {
        guard let address = limits.proxies.client(of: request), !address.isLoopback else { return nil }
        return try take(.address(address.subscriber))
    }
}
