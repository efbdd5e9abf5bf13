package import Runtime

/// The database's wall clock as seen from here: measured at lease renewal, carried on by the monotonic clock between.
/// All stored times come from it, so that processes with wrong clocks agree (engine rules, rule 9).
package final class DatabaseClock: Sendable {
    /// Database microseconds minus monotonic microseconds; the process's own clock until the first reading.
    private let state: Locked<(offset: Int64, isMeasured: Bool)>

    package init(now: Int64 = WallClock.microseconds) {
        state = Locked((now - MonotonicTime.now.nanoseconds / 1000, false))
    }

    /// Microseconds since 1970 (UTC).
    package var now: Int64 { state.withLock { $0.offset } + MonotonicTime.now.nanoseconds / 1000 }

    /// Takes over a reading of the database clock that arrived at `moment`. The way of the answer makes it late, never
    /// early: of several readings the latest clock is the truest, and it never steps back while the process lives.
    package func measured(_ database: Int64, at moment: MonotonicTime) {
        let offset = database - moment.nanoseconds / 1000
        state.withLock { state in
            state = (state.isMeasured ? max(state.offset, offset) : offset, true)
        }
    }

    /// Days since 1970 (UTC): the receipt day of the retry window.
    package static func day(of microseconds: Int64) -> Int32 { Int32(microseconds / 86_400_000_000) }
}
