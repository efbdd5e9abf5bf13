/// What one side announces in its first SETTINGS frame. Nil leaves the protocol's default.
struct SessionSettings: Sendable {
    var maxConcurrentStreams: Int?
    var headerTableSize: Int?
    var maxFrameSize: Int?
    var maxHeaderListSize: Int?
    var initialWindow: Int?
    /// The window of the whole connection, raised by a WINDOW_UPDATE.
    var connectionWindow: Int?
    /// A longer body ends its stream with ENHANCE_YOUR_CALM.
    var maxBodyBytes = 1 << 20
}
