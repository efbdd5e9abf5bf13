internal import JSONText

/// How a platform writes times.
enum TimeUnit: String, CaseIterable, Sendable {
    case rfc3339
    case unixSeconds
    case unixMilliseconds

    enum Reading: Equatable {
        /// RFC 3339, in the sender's own spelling where that is RFC 3339.
        case time(String)
        /// Written as 0, in whichever way (field case D21).
        case unknown
        case unreadable
    }

    func read(_ text: String) -> Reading {
        switch self {
        case .rfc3339:
            if text == "0" { return .unknown }
            guard let time = RFC3339.parse(text) else { return .unreadable }
            return time.microseconds == 0 ? .unknown : .time(text)
        case .unixSeconds: return Self.read(text, microsecondsPerUnit: 1_000_000)
        case .unixMilliseconds: return Self.read(text, microsecondsPerUnit: 1_000)
        }
    }

    private static func read(_ text: String, microsecondsPerUnit: Double) -> Reading {
        guard let number = Double(text), number.isFinite else { return .unreadable }
        if number == 0 { return .unknown }
        // A Double holds microseconds exactly until the year 2255.
        let microseconds = (number * microsecondsPerUnit).rounded()
        guard (0...253_402_300_799_000_000).contains(microseconds) else { return .unreadable }
        return .time(RFC3339.format(Int64(microseconds)))
    }
}
