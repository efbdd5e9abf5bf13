private import Glibc

extension WallClock {
    /// A time as RFC 3339 in UTC with milliseconds, for log lines.
    static func text(microseconds: Int64) -> String {
        let milliseconds = Int64((Double(microseconds) / 1000).rounded(.down))
        let seconds = Int((Double(milliseconds) / 1000).rounded(.down))
        var instant = time_t(seconds)
        var parts = unsafe tm()
        unsafe gmtime_r(&instant, &parts)
        let date = unsafe "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        let time = unsafe "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        let fraction = String(1000 + milliseconds - Int64(seconds) * 1000).dropFirst()
        return "\(date)T\(time).\(fraction)Z"
    }

    private static func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : String(value) }
}
