/// A moment in microseconds since 1970 (UTC). The core receives moments, it never asks a clock.
package struct Instant: Hashable, Comparable, Sendable {
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }
    package init(seconds: Int64) { microseconds = seconds * 1_000_000 }

    /// Whole seconds, rounded down.
    package var seconds: Int64 { microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000 }

    package static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }

    package static func + (moment: Instant, span: Duration) -> Instant {
        Instant(microseconds: moment.microseconds &+ span.microseconds)
    }

    package static func - (moment: Instant, span: Duration) -> Instant {
        Instant(microseconds: moment.microseconds &- span.microseconds)
    }

    package static func - (later: Instant, earlier: Instant) -> Duration {
        .microseconds(later.microseconds &- earlier.microseconds)
    }
}

extension Duration {
    /// Rounded toward zero.
    var microseconds: Int64 {
        let attoseconds = attoseconds
        // Nearly all are shorter than ten hours: then 10^12 is divided by as 2^12 and 5^12, in 64 bits, ten times as fast.
        if attoseconds >= 0, let short = Int64(exactly: attoseconds >> 12) { return short / 244_140_625 }
        return Int64(attoseconds / 1_000_000_000_000)
    }
}
