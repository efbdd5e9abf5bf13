/// How long to wait before trying again: doubling, bounded, and spread out.
///
/// Half of each delay is fixed and half is drawn, so that clients which failed together do not come back together and
/// none comes back at once.
package struct Backoff: Hashable, Sendable {
    /// The longest first delay.
    package var base: Duration
    /// The longest delay of all.
    package var limit: Duration

    package init(base: Duration = .milliseconds(200), limit: Duration = .seconds(30)) {
        self.base = base
        self.limit = limit
    }

    /// The delay after the `attempt`-th failure in a row, counted from 0: between a half and the whole of
    /// `min(limit, base × 2^attempt)`.
    package func delay(afterFailure attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        let doublings = min(max(attempt, 0), 30)
        let whole = min(limit.nanoseconds, base.nanoseconds.multipliedClamping(by: 1 << doublings))
        return .nanoseconds(whole / 2 + Int64.random(in: 0...max(0, whole - whole / 2), using: &generator))
    }
}

extension Int64 {
    fileprivate func multipliedClamping(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
