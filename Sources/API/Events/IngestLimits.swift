/// What the ingest contract bounds; `openapi.yaml` says the same.
enum IngestLimits {
    static let eventBytes = 65_536
    static let batchEvents = 1_000
    /// Of any body, after inflating.
    static let bodyBytes = 4 * 1_024 * 1_024
    static let depth = 64
    /// Of id, source, type, subject and the other names.
    static let nameBytes = 1...255
    static let extensions = 32
    static let references = 8
    static let reasonBytes = 1...1_024
    /// Further ahead of our clock than this an event is refused.
    static let aheadRefused: Int64 = 24 * 3_600 * 1_000_000
    /// Further ahead than this it is ordered by receive time.
    static let aheadFlagged: Int64 = 5 * 60 * 1_000_000
}
