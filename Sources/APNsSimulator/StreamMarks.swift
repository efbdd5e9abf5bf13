/// Which streams of a connection were processed, and which no longer will be: GOAWAY must not say otherwise.
struct StreamMarks: Sendable {
    /// The newest that was processed.
    private(set) var newest: Int32 = 0
    /// The last that counts, once the connection takes no others.
    private var last: Int32?

    func takes(_ stream: Int32) -> Bool { stream <= last ?? .max }

    mutating func processed(_ stream: Int32) { newest = max(newest, stream) }

    /// A later GOAWAY only ever names an earlier stream (RFC 9113, section 6.8).
    mutating func goesAway(after stream: Int32) { last = min(stream, last ?? .max) }
}
