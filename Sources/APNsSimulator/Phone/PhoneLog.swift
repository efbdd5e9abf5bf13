/// The last lines of a phone's own log: why pushes had no effect, as the phone's console would have it.
struct PhoneLog: Sendable, Codable {
    struct Line: Sendable, Codable {
        /// By the phones' clock, microseconds.
        let at: Int64
        /// The push it is about, by its number in the request log.
        let request: Int?
        let text: String
    }

    static let limit = 32

    private(set) var lines: [Line] = []

    mutating func add(_ text: String, request: Int? = nil, at now: Int64) {
        if lines.count >= Self.limit { lines.removeFirst() }
        lines.append(Line(at: now, request: request, text: text))
    }

    /// The newest line about a push.
    func line(about request: Int) -> String? { lines.last { $0.request == request }?.text }
}
