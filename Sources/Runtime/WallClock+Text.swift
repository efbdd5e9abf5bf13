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

    /// The present time as HTTP writes it (RFC 9110 section 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static var httpDate: String { httpDate(seconds: seconds) }

    static func httpDate(seconds: Int64) -> String {
        var instant = time_t(seconds)
        var parts = unsafe tm()
        unsafe gmtime_r(&instant, &parts)
        let day = unsafe ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday)]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let date = unsafe "\(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
        return unsafe "\(day), \(date) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }

    private static func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : String(value) }
}
