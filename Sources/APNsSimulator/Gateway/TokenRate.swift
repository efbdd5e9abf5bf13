/// The rate of requests to one token: so many a second, with a small burst (contract 28).
struct TokenRate: Sendable, Codable {
    struct Limits: Sendable, Hashable, Codable {
        var perSecond = 1.0
        var burst = 5.0
    }

    private var spent = 0.0
    private var at: Int64 = 0

    /// Whether a request at `now` (µs) is within the rate.
    mutating func admit(at now: Int64, _ limits: Limits) -> Bool {
        spent = max(0, spent - Double(max(0, now - at)) / 1e6 * limits.perSecond)
        at = now
        guard spent + 1 <= limits.burst else { return false }
        spent += 1
        return true
    }
}
