internal import JSONText

/// A zone as a rule for every year, in the notation of POSIX `TZ` (RFC 8536, section 3.3): `CET-1CEST,M3.5.0,M10.5.0/3`.
struct PosixTimeZone: Hashable, Sendable {
    private struct Summer: Hashable {
        let offset: Int64
        let start: YearlyMoment
        let end: YearlyMoment
    }

    private let standard: Int64
    private let summer: Summer?

    /// nil when the text is empty or malformed.
    init?(_ text: String) {
        var reader = Reader(text)
        guard reader.name(), let west = reader.time() else { return nil }
        standard = -west
        guard !reader.isAtEnd else {
            summer = nil
            return
        }
        guard reader.name() else { return nil }
        var offset = standard + 3_600
        if !reader.isNext(",") {
            guard let west = reader.time() else { return nil }
            offset = -west
        }
        guard reader.take(","), let start = reader.moment(), reader.take(","), let end = reader.moment(),
            reader.isAtEnd
        else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }

    func offset(atUTC seconds: Int64) -> Int64 {
        guard let summer else { return standard }
        let local = seconds + standard
        let day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        let year = CivilDate.fromDays(day).year
        let start = summer.start.seconds(in: year) - standard
        let end = summer.end.seconds(in: year) - summer.offset
        let isSummer = start < end ? seconds >= start && seconds < end : seconds >= start || seconds < end
        return isSummer ? summer.offset : standard
    }
}

/// A day of each year and a wall-clock time on it.
private struct YearlyMoment: Hashable, Sendable {
    enum Day: Hashable {
        /// 1...365, 29 February never counted.
        case withoutLeapDay(Int64)
        /// 0...365, 29 February counted.
        case withLeapDay(Int64)
        /// The nth (5: last) such weekday (0: Sunday) of a month.
        case weekday(month: Int64, week: Int64, day: Int64)
    }

    let day: Day
    /// After midnight; may lie beyond the day.
    let time: Int64

    /// Wall-clock seconds since 1970.
    func seconds(in year: Int64) -> Int64 { days(in: year) * 86_400 + time }

    private func days(in year: Int64) -> Int64 {
        let newYear = CivilDate.toDays(year: year, month: 1, day: 1)
        switch day {
        case .withLeapDay(let day): return newYear + day
        case .withoutLeapDay(let day):
            let isLeap = CivilDate.daysIn(month: 2, year: year) == 29
            return newYear + day - 1 + (isLeap && day >= 60 ? 1 : 0)
        case .weekday(let month, let week, let day):
            let first = CivilDate.toDays(year: year, month: month, day: 1)
            let firstWeekday = (first % 7 + 11) % 7
            var date = 1 + (day - firstWeekday + 7) % 7 + (week - 1) * 7
            if date > CivilDate.daysIn(month: month, year: year) { date -= 7 }
            return first + date - 1
        }
    }
}

extension PosixTimeZone {
    private struct Reader {
        private var rest: Substring.UTF8View

        init(_ text: String) { rest = Substring(text).utf8 }

        var isAtEnd: Bool { rest.isEmpty }

        func isNext(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard isNext(character) else { return false }
            rest.removeFirst()
            return true
        }

        /// An abbreviation, `CEST` or `<+0330>`.
        mutating func name() -> Bool {
            if take("<") {
                rest = rest.drop { $0 != UInt8(ascii: ">") }
                return take(">")
            }
            let before = rest.count
            rest = rest.drop { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
            return before - rest.count >= 3
        }

        /// `[+-]h[:mm[:ss]]` in seconds; hours up to 167.
        mutating func time() -> Int64? {
            let sign: Int64 = take("-") ? -1 : 1
            if sign == 1 { _ = take("+") }
            guard let hours = number(), hours <= 167 else { return nil }
            var seconds = hours * 3_600
            for unit: Int64 in [60, 1] where take(":") {
                guard let value = number(), value < 60 else { return nil }
                seconds += value * unit
            }
            return sign * seconds
        }

        mutating func moment() -> YearlyMoment? {
            guard let day = day() else { return nil }
            guard take("/") else { return YearlyMoment(day: day, time: 7_200) }
            return time().map { YearlyMoment(day: day, time: $0) }
        }

        private mutating func day() -> YearlyMoment.Day? {
            if take("M") {
                guard let month = number(), (1...12).contains(month), take("."), let week = number(),
                    (1...5).contains(week), take("."), let day = number(), day <= 6
                else { return nil }
                return .weekday(month: month, week: week, day: day)
            }
            if take("J") {
                guard let day = number(), (1...365).contains(day) else { return nil }
                return .withoutLeapDay(day)
            }
            guard let day = number(), day <= 365 else { return nil }
            return .withLeapDay(day)
        }

        private mutating func number() -> Int64? {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !digits.isEmpty, digits.count <= 3 else { return nil }
            rest = rest.dropFirst(digits.count)
            return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
    }
}
