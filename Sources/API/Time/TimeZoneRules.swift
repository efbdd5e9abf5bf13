/// When a time zone's clock stood at which offset: for sources that write times without one.
///
/// Read from the system's compiled zone files (RFC 8536), as neither Glibc's global zone nor a calendar library with
/// its own copy of the data fits a server that knows many zones.
package struct TimeZoneRules: Hashable, Sendable {
    /// Moments (UTC seconds) from which the offset at the same index holds, ascending.
    let transitions: [Int64]
    /// Seconds east of UTC, one per transition.
    let offsets: [Int64]
    /// Before the first transition.
    let firstOffset: Int64
    /// After the last transition; nil: the last offset stays.
    let rule: PosixTimeZone?

    /// Seconds east of UTC at this moment (seconds since 1970).
    package func offset(atUTC seconds: Int64) -> Int64 {
        guard let first = transitions.first, seconds >= first else {
            return transitions.isEmpty ? rule?.offset(atUTC: seconds) ?? firstOffset : firstOffset
        }
        if let last = transitions.last, seconds >= last, let rule { return rule.offset(atUTC: seconds) }
        var low = 0
        var high = transitions.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle } else { high = middle }
        }
        return offsets[low]
    }

    /// The moment at which a wall clock in this zone showed `local` (both in microseconds).
    ///
    /// A time that occurs twice means the first; one that the clock skipped is read with the offset before the gap.
    package func utc(fromLocal local: Int64) -> Int64 {
        let seconds = local >= 0 ? local / 1_000_000 : (local - 999_999) / 1_000_000
        let before = offset(atUTC: seconds - 86_400)
        let after = offset(atUTC: seconds + 86_400)
        let candidate = [before, after].first { offset(atUTC: seconds - $0) == $0 }
        return local - (candidate ?? before) * 1_000_000
    }
}
