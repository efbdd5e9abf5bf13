/// What a server announces and how much it puts up with.
package struct HTTP2ServerSettings: Sendable, Hashable {
    package var host: String
    /// 0 takes a free port.
    package var port: Int
    package var maxConcurrentStreams: Int
    package var headerTableSize = 4096
    package var maxFrameSize = 16_384
    /// Requests with larger fields are answered with 431.
    package var maxHeaderListSize = 8000
    /// The flow-control window of each stream, and of the connection, in bytes.
    package var streamWindow = 65_535
    package var connectionWindow = 1 << 20
    /// A longer body ends its stream with ENHANCE_YOUR_CALM.
    package var maxBodyBytes = 1 << 20
    package var handshakeLimit = Duration.seconds(10)
    /// How long open streams may take to finish once the server is told to stop.
    package var drainLimit = Duration.seconds(5)
    package var connectionLimit = 10_000
    /// Ask clients for a certificate. Whatever they show, or nothing, is let in and not verified.
    package var asksForCertificate = false
    /// Serve clients that say nothing of `h2` by ALPN too. Those that offer only something else are refused anyway.
    package var servesWithoutALPN = false

    package init(host: String = "127.0.0.1", port: Int = 0, maxConcurrentStreams: Int = 1000) {
        self.host = host
        self.port = port
        self.maxConcurrentStreams = maxConcurrentStreams
    }

    var session: SessionSettings {
        SessionSettings(
            maxConcurrentStreams: maxConcurrentStreams,
            headerTableSize: headerTableSize,
            maxFrameSize: maxFrameSize,
            maxHeaderListSize: maxHeaderListSize,
            initialWindow: streamWindow,
            connectionWindow: connectionWindow,
            maxBodyBytes: maxBodyBytes
        )
    }
}

/// New values for the SETTINGS of one connection; nil leaves one as it is.
package struct HTTP2SettingsChange: Sendable, Hashable {
    package var maxConcurrentStreams: Int?
    package var headerTableSize: Int?
    package var maxFrameSize: Int?
    package var maxHeaderListSize: Int?
    /// The flow-control window of streams, in bytes.
    package var initialWindow: Int?

    package init(
        maxConcurrentStreams: Int? = nil,
        headerTableSize: Int? = nil,
        maxFrameSize: Int? = nil,
        maxHeaderListSize: Int? = nil,
        initialWindow: Int? = nil
    ) {
        self.maxConcurrentStreams = maxConcurrentStreams
        self.headerTableSize = headerTableSize
        self.maxFrameSize = maxFrameSize
        self.maxHeaderListSize = maxHeaderListSize
        self.initialWindow = initialWindow
    }

    var session: SessionSettings {
        SessionSettings(
            maxConcurrentStreams: maxConcurrentStreams,
            headerTableSize: headerTableSize,
            maxFrameSize: maxFrameSize,
            maxHeaderListSize: maxHeaderListSize,
            initialWindow: initialWindow
        )
    }
}

/// What a server tells about its connections, on the loop.
package enum HTTP2ConnectionEvent: Sendable {
    /// TLS is up and `h2` was agreed on.
    case opened(HTTP2ConnectionID, peer: String)
    /// Right after `opened`: the client showed a certificate, which nobody has verified.
    case certificate(HTTP2ConnectionID)
    /// A client that did not get as far as `opened`: no TLS, an unacceptable one, or no `h2`.
    case rejected(peer: String, HTTP2Error)
    /// So many streams were open when it came.
    case ping(HTTP2ConnectionID, openStreams: Int)
    /// The client sent a PRIORITY frame, or a priority with its fields.
    case priority(HTTP2ConnectionID)
    /// A request had larger fields than was announced, and was answered with 431.
    case oversized(HTTP2ConnectionID)
    /// The client opened a stream above the limit that it had acknowledged. `closed` follows.
    case excessStream(HTTP2ConnectionID)
    /// The client took a stream back, or it was closed, before the answer was sent.
    case abandoned(HTTP2ConnectionID, stream: Int32)
    case closed(HTTP2ConnectionID, HTTP2Error)
}
