private import Glibc

/// A point on the machine's monotonic clock: for durations and deadlines, never for stored facts.
package struct MonotonicTime: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static var now: MonotonicTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package static func + (time: MonotonicTime, span: Duration) -> MonotonicTime {
        MonotonicTime(nanoseconds: time.nanoseconds + span.nanoseconds)
    }

    package static func - (later: MonotonicTime, earlier: MonotonicTime) -> Duration {
        .nanoseconds(later.nanoseconds - earlier.nanoseconds)
    }

    package static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.nanoseconds < b.nanoseconds }
}

extension Duration {
    /// Whole nanoseconds, enough for 292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// As fractional seconds, for figures people read.
    package var inSeconds: Double { Double(nanoseconds) / 1e9 }
}

/// The wall clock, in microseconds since 1970 (UTC): for stored facts and the outside world's dates.
package enum WallClock {
    package static var microseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    package static var seconds: Int64 { microseconds / 1_000_000 }
}
