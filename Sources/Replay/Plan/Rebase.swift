internal import JSONText

/// Moves recorded times by whole days, so that hours of the day stay as they were.
enum Rebase {
    private static let day: Int64 = 86_400_000_000

    /// How many days bring the newest time to `now` or just before it.
    ///
    /// Nil when nothing is to be moved: unless `asked`, only a time over 24 hours ahead is a reason, since Doorstep
    /// would refuse it (interfaces: `time-too-far-ahead`).
    static func days(for events: [FileEvent], now: Int64, asked: Bool) -> Int64? {
        guard let newest = events.compactMap(\.time).max(), asked || newest > now + day else { return nil }
        let days = floorDivide(now - newest, day)
        return days == 0 ? nil : days
    }

    static func move(_ event: FileEvent, days: Int64) -> FileEvent {
        var moved = event.event
        moved["time"] = moved["time"].map { move($0, days: days) }
        if var data = moved["data"]?.objectValue {
            for name in ["eta", "pickupEta", "scheduledFor"] {
                if let time = data[name] { data[name] = move(time, days: days) }
            }
            moved["data"] = .object(data)
        }
        return FileEvent(moved) ?? event
    }

    /// A time that cannot be read stays as it is.
    private static func move(_ time: JSON, days: Int64) -> JSON {
        guard let text = time.stringValue, let (microseconds, hasOffset) = RFC3339.parse(text) else { return time }
        let moved = RFC3339.format(microseconds + days * day)
        return .string(hasOffset ? moved : String(moved.dropLast()))
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
