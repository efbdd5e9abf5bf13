internal import Tracking

/// After the database was away, what partners sent meanwhile comes first: timers that would call a card stale or end it
/// wait (engine rules, section 6).
struct OutageGrace {
    /// Without an answer for longer than this the database was away. Microseconds, as below.
    private static let outage: Int64 = 30_000_000
    private static let grace: Int64 = 120_000_000

    private var answeredAt: Int64?
    private var until: Int64 = .min

    mutating func databaseAnswered(at now: Int64) {
        if let answeredAt, now - answeredAt > Self.outage { until = now + Self.grace }
        answeredAt = now
    }

    func waitingKinds(at now: Int64) -> [TimerKind] { now < until ? [.stale, .deadline] : [] }
}
