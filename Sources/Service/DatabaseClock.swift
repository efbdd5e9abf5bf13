package import Runtime

/// The database's wall clock as seen from here: measured at lease renewal, carried on by the monotonic clock between.
/// All stored times come from it, so that processes with wrong clocks agree (engine rules, rule 9).
package final class DatabaseClock: Sendable {
    /// Database microseconds minus monotonic microseconds.
    private let offset: Locked<Int64>

    package init(now: Int64 = WallClock.microseconds) {
        offset = Locked(now - MonotonicTime.now.nanoseconds / 1000)
    }

    /// Microseconds since 1970 (UTC).
    package var now: Int64 { offset.withLock { $0 } + MonotonicTime.now.nanoseconds / 1000 }

    /// Takes over a reading of the database clock. It never steps back while the process lives.
    package func measured(_ database: Int64, at moment: MonotonicTime) {
        offset.withLock { $0 = max($0, database - moment.nanoseconds / 1000) }
    }

    /// Days since 1970 (UTC): the receipt day of the retry window.
    package static func day(of microseconds: Int64) -> Int32 { Int32(microseconds / 86_400_000_000) }
}
