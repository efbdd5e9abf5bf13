internal import JSONText

/// How a moment is written on a card.
package enum MomentForm: Hashable, Sendable {
    /// Whole seconds since 1970, for an `Int`.
    case unixSeconds
    /// Seconds since 2001, which is what a default `JSONDecoder` reads as `Date` (contract 3.6.2).
    case swiftDate
    /// Minutes from the sending of the push on.
    case minutes

    /// From 1970-01-01 to 2001-01-01 UTC.
    package static let swiftEpoch: Int64 = 978_307_200

    /// Minutes until a moment as a card shows them: begun minutes count whole, a moment that is past is 0 away.
    package static func minutes(until moment: Int64, from now: Int64) -> Int64 {
        let seconds = moment.subtractingReportingOverflow(now)
        guard !seconds.overflow, seconds.partialValue > 0 else { return 0 }
        return (seconds.partialValue - 1) / 60 + 1
    }

    func value(_ moment: Int64, from now: Int64) -> JSON {
        switch self {
        case .unixSeconds: .integer(moment)
        case .swiftDate: .integer(moment &- Self.swiftEpoch)
        case .minutes: .integer(Self.minutes(until: moment, from: now))
        }
    }
}
