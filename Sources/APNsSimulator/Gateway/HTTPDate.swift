private import Runtime

/// The `date` of answers, written once a second.
struct HTTPDate: Sendable {
    private var seconds: Int64?
    private var written = ""

    mutating func text(_ seconds: Int64) -> String {
        if seconds != self.seconds {
            self.seconds = seconds
            written = WallClock.httpDate(seconds: seconds)
        }
        return written
    }
}
