/// What the API takes (openapi.yaml).
enum EventLimits {
    /// Bytes of ids, types, words and names.
    static let text = 1...255
    /// Events of one webhook.
    static let events = 1_000
    /// Entries of `references`.
    static let references = 8
}
