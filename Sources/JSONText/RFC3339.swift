/// Times as RFC 3339 writes them, in microseconds since 1970 UTC.
package enum RFC3339 {
    /// Reads `2026-11-30T02:17:46.123456Z`; the offset may be missing, everything else is demanded.
    ///
    /// Ranges are strict (no 30 February, no hour 24). Digits beyond microseconds are cut off. A leap second (`:60`)
    /// becomes the last microsecond before it, since our time has no place for it. Without an offset the result is the
    /// local wall clock read as if it were UTC.
    package static func parse(_ text: String) -> (microseconds: Int64, hasOffset: Bool)? {
        var reader = Reader(bytes: Array(text.utf8))
        guard let time = reader.dateTime() else { return nil }
        guard let offset = reader.offset() else { return nil }
        guard reader.isAtEnd else { return nil }
        return (time - Int64(offset ?? 0) * 60_000_000, offset != nil)
    }

    /// Writes UTC with `Z`: no fraction for whole seconds, else three digits when they suffice, else six.
    ///
    /// Years outside 0000...9999, which RFC 3339 cannot write, are moved to the nearest it can.
    package static func format(_ microseconds: Int64) -> String {
        let clamped = min(max(microseconds, earliest), latest)
        let (days, inDay) = floorDivide(clamped, 86_400_000_000)
        let (year, month, day) = CivilDate.fromDays(days)
        let seconds = inDay / 1_000_000
        let fraction = inDay % 1_000_000
        let clock =
            "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
            + "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
        if fraction == 0 { return clock + "Z" }
        if fraction % 1_000 == 0 { return "\(clock).\(padded(fraction / 1_000, 3))Z" }
        return "\(clock).\(padded(fraction, 6))Z"
    }

    private static let earliest = CivilDate.toDays(year: 0, month: 1, day: 1) * 86_400_000_000
    private static let latest = CivilDate.toDays(year: 10_000, month: 1, day: 1) * 86_400_000_000 - 1

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension RFC3339 {
    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        var isAtEnd: Bool { position == bytes.count }

        /// Date, `T`, time and fraction, as microseconds of that wall clock.
        mutating func dateTime() -> Int64? {
            guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2),
                take("T") || take("t"),
                let hour = digits(2), take(":"), let minute = digits(2), take(":"), let second = digits(2),
                let fraction = fraction(),
                (1...12).contains(month), (1...CivilDate.daysIn(month: month, year: year)).contains(day),
                hour <= 23, minute <= 59, second <= 60
            else { return nil }
            let minutes = CivilDate.toDays(year: year, month: month, day: day) * 1_440 + hour * 60 + minute
            let withinMinute = second == 60 ? 59_999_999 : second * 1_000_000 + fraction
            return minutes * 60_000_000 + withinMinute
        }

        /// Minutes east of UTC; `.some(nil)` when the text ends here, nil when it is malformed.
        mutating func offset() -> Int64?? {
            if isAtEnd { return .some(nil) }
            if take("Z") || take("z") { return 0 }
            let sign: Int64 = take("-") ? -1 : 1
            guard sign == -1 || take("+"), let hours = digits(2), take(":"), let minutes = digits(2),
                hours <= 23, minutes <= 59
            else { return nil }
            return sign * (hours * 60 + minutes)
        }

        private mutating func fraction() -> Int64? {
            guard take(".") else { return 0 }
            let start = position
            var value: Int64 = 0
            while let digit = digit() {
                if position - start < 6 { value = value * 10 + digit }
                position += 1
            }
            let count = position - start
            guard count > 0 else { return nil }
            for _ in min(count, 6)..<6 { value *= 10 }
            return value
        }

        private mutating func digits(_ count: Int) -> Int64? {
            var value: Int64 = 0
            for _ in 0..<count {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
                position += 1
            }
            return value
        }

        private func digit() -> Int64? {
            guard position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) else {
                return nil
            }
            return Int64(bytes[position] - UInt8(ascii: "0"))
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }
    }
}
