package import Runtime

/// Both clocks at one moment.
package struct ClockReading: Hashable, Sendable {
    package var wallSeconds: Int64
    package var monotonic: MonotonicTime

    package init(wallSeconds: Int64, monotonic: MonotonicTime) {
        self.wallSeconds = wallSeconds
        self.monotonic = monotonic
    }

    package static var now: ClockReading { ClockReading(wallSeconds: WallClock.seconds, monotonic: .now) }
}

/// When to keep the present provider token and when to mint another one.
///
/// APNs wants a token changed no more than once in 20 minutes and takes none older than an hour by *its* clock. Tokens are
/// issued as of the half hours of the wall clock: all processes of a team change at the same time, to tokens of the same
/// age (P26). Changes keep their distance on the monotonic clock, and once the wall clock was corrected, a token's time
/// of issue is wrong however young the token is (P31).
struct ProviderTokenState: Sendable {
    enum Answer: Hashable {
        case use(ProviderToken)
        /// Sign one as of this time, in seconds since 1970, and report `minted`.
        case mint(issuedAt: Int64)
    }

    static let period: Int64 = 30 * 60
    static let shortestLife = Duration.seconds(20 * 60)
    static let longestLife: Int64 = 58 * 60
    /// How far the two clocks may drift apart before the wall clock counts as corrected.
    static let clockTolerance: Int64 = 5 * 60

    private struct Minted {
        let token: ProviderToken
        let issuedAt: Int64
        let at: ClockReading
    }

    private var current: Minted?
    /// When a token last took the place of another.
    private var lastChange: MonotonicTime?
    /// APNs asked for a pause in minting until then.
    private var pausedUntil: MonotonicTime?
    /// When APNs last called a token expired and another one was minted at once.
    private var lastForced: MonotonicTime?
    private var mustMint = false

    mutating func token(at now: ClockReading) -> Answer {
        let aligned = now.wallSeconds / Self.period * Self.period
        guard let current else { return .mint(issuedAt: aligned) }
        // Between two half hours, however old: the fresher the better.
        if mustMint { return .mint(issuedAt: now.wallSeconds) }
        let elapsed = (now.monotonic - current.at.monotonic).components.seconds
        if current.at.wallSeconds - current.issuedAt + elapsed >= Self.longestLife { return .mint(issuedAt: aligned) }
        if let pausedUntil, now.monotonic < pausedUntil { return .use(current.token) }
        let drift = now.wallSeconds - current.at.wallSeconds - elapsed
        if abs(drift) > Self.clockTolerance, aligned != current.issuedAt { return .mint(issuedAt: aligned) }
        let mayChange = lastChange.map { now.monotonic - $0 >= Self.shortestLife } ?? true
        return aligned > current.issuedAt && mayChange ? .mint(issuedAt: aligned) : .use(current.token)
    }

    /// A token was minted, as `token(at:)` asked.
    mutating func minted(_ token: ProviderToken, issuedAt: Int64, at now: ClockReading) {
        if current != nil { lastChange = now.monotonic }
        current = Minted(token: token, issuedAt: issuedAt, at: now)
        mustMint = false
    }

    /// APNs called a token expired. True when another attempt is worth while: a newer token is there, or may be minted
    /// now, which happens at most once in 20 minutes however many requests come back (P30).
    mutating func expired(_ token: ProviderToken, at now: ClockReading) -> Bool {
        guard let current, current.token == token else { return true }
        if mustMint { return true }
        if let lastForced, now.monotonic - lastForced < Self.shortestLife { return false }
        lastForced = now.monotonic
        mustMint = true
        return true
    }

    /// APNs saw too many updates: the present token stays, for 20 minutes at least (sender rule 43).
    mutating func tooManyUpdates(at now: ClockReading) {
        pausedUntil = now.monotonic + Self.shortestLife
        mustMint = false
    }
}
