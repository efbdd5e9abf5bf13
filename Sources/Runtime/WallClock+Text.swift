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

    /// The time that HTTP wrote in its preferred form, in seconds since 1970; nil for anything else.
    package static func seconds(httpDate text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT", let day = Int32(words[1]),
            let month = months.firstIndex(of: String(words[2])), let year = Int32(words[3])
        else { return nil }
        let time = words[4].split(separator: ":").compactMap { Int32($0) }
        guard time.count == 3 else { return nil }
        var parts = unsafe tm()
        unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, Int32(month), day)
        unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec) = (time[0], time[1], time[2])
        let seconds = unsafe Int64(timegm(&parts))
        // What is no date, such as 31 Feb, comes back as another one.
        return httpDate(seconds: seconds) == text ? seconds : nil
    }

    package static func httpDate(seconds: Int64) -> String {
        var instant = time_t(seconds)
        var parts = unsafe tm()
        unsafe gmtime_r(&instant, &parts)
        let day = unsafe ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday)]
        let date = unsafe "\(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
        return unsafe "\(day), \(date) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : String(value) }
}
