internal import Runtime

/// An allowance that fills again at a steady rate: as many requests at once as it holds, and `rate` a second in the long
/// run.
struct TokenBucket: Sendable {
    /// What became of a request.
    enum Verdict: Hashable, Sendable {
        /// With what is left, and the whole seconds until nothing is missing.
        case granted(left: Int, fullIn: Int)
        /// With the whole seconds until one more is granted; at least 1.
        case refused(waitSeconds: Int)
    }

    private let rate: Double
    private let size: Double
    private var level: Double
    private var at: MonotonicTime

    /// Full.
    init(_ limit: RateLimit, at now: MonotonicTime) {
        rate = Double(limit.perSecond)
        size = Double(limit.burst)
        level = size
        at = now
    }

    /// Takes one if there is one.
    mutating func take(at now: MonotonicTime) -> Verdict {
        fill(at: now)
        guard level >= 1 else { return .refused(waitSeconds: max(1, Int(((1 - level) / rate).rounded(.up)))) }
        level -= 1
        return .granted(left: Int(level), fullIn: Int(((size - level) / rate).rounded(.up)))
    }

    /// Whether it says no more than a new one would.
    func isFull(at now: MonotonicTime) -> Bool {
        var later = self
        later.fill(at: now)
        return later.level >= size
    }

    private mutating func fill(at now: MonotonicTime) {
        guard now > at else { return }
        level = min(size, level + (now - at).inSeconds * rate)
        at = now
    }
}

/// How often one caller may ask.
package struct RateLimit: Hashable, Sendable {
    /// In the long run; at least 1.
    package var perSecond: Int
    /// After a pause: what two seconds allow.
    package var burst: Int { RateLimit.window * perSecond }
    /// Seconds that the burst is counted over.
    static let window = 2

    package init(perSecond: Int) { self.perSecond = perSecond }
}
