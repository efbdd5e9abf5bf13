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
/// APNs wants a token changed no more than once in 20 minutes and takes none older than an hour by *its* clock. So the
/// age counts from minting, on the monotonic clock, and the wall clock has a say too: once it was corrected, the
/// token's `iat` is wrong however young the token is (P27, P31).
struct ProviderTokenState: Sendable {
    enum Answer: Hashable {
        case use(ProviderToken)
        case mint
    }

    static let refreshAge = Duration.seconds(40 * 60)
    static let shortestLife = Duration.seconds(20 * 60)
    static let longestLife = Duration.seconds(58 * 60)
    /// How far the two clocks may drift apart before the wall clock counts as corrected.
    static let clockTolerance: Int64 = 5 * 60

    private struct Minted {
        let token: ProviderToken
        let at: ClockReading
    }

    private var current: Minted?
    /// APNs asked for a pause in minting until then.
    private var pausedUntil: MonotonicTime?
    /// When APNs last called a token expired and another one was minted at once.
    private var lastForced: MonotonicTime?
    private var mustMint = false

    mutating func token(at now: ClockReading) -> Answer {
        guard let current else { return .mint }
        let age = now.monotonic - current.at.monotonic
        if age >= Self.longestLife || mustMint { return .mint }
        if let pausedUntil, now.monotonic < pausedUntil { return .use(current.token) }
        let wallAge = now.wallSeconds - current.at.wallSeconds
        let wasCorrected = abs(wallAge - age.components.seconds) > Self.clockTolerance
        return age >= Self.refreshAge || wasCorrected ? .mint : .use(current.token)
    }

    /// A token was minted, as `token(at:)` asked.
    mutating func minted(_ token: ProviderToken, at now: ClockReading) {
        current = Minted(token: token, at: now)
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
