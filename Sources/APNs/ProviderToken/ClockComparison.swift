/// How far APNs' clock is from ours, and what to do about it.
///
/// A few seconds are ours to ignore. When the clocks are minutes apart, APNs' is the one that judges provider tokens, so
/// their times of issue go by it until the clocks agree again (P29).
struct ClockComparison: Sendable {
    /// Seconds that APNs' clock was ahead when it was last seen.
    private(set) var skew: Int64?
    /// Seconds to be added to our clock.
    private(set) var correction: Int64 = 0

    mutating func compare(apns: Int64, ours: Int64) {
        let seen = apns - ours
        skew = seen
        // Kept while it is about right: every change of it looks like a corrected clock and costs a token.
        guard abs(seen - correction) > ProviderTokenState.clockTolerance else { return }
        correction = abs(seen) > ProviderTokenState.clockTolerance ? seen : 0
    }
}
