private import CNGHTTP2

/// What this side wants sent. Nothing leaves before the next `produce`.
extension Session {
    /// Opens a stream for a request; a client's. One with more fields than the server takes harms nothing but itself.
    ///
    /// No priority is ever given: APNs forbids PRIORITY frames (sender rule 14).
    func submit(_ request: HTTP2ClientRequest, authority: String) throws(HTTP2Error) -> SessionStream {
        fields.fill(with: request, authority: authority)
        guard fields.listSize <= peerMaxHeaderListSize else {
            throw HTTP2Error(
                .fieldsTooLarge,
                "\(fields.listSize) bytes of fields; the server takes \(peerMaxHeaderListSize)"
            )
        }
        let stream = SessionStream(id: 0, outgoing: request.body)
        let id = unsafe withBody(of: stream) { body in
            unsafe fields.withNative { unsafe nghttp2_submit_request(native, nil, $0, $1, body, nil) }
        }
        guard id > 0 else { throw .nghttp2(.closed, id) }
        stream.id = id
        open(stream)
        return stream
    }

    /// Answers a request; a server's.
    func submit(_ reply: HTTP2Reply, to id: Int32) throws(HTTP2Error) {
        guard let request = stream(id) else { return }
        fields.fill(with: reply)
        request.outgoing = reply.body
        let result = unsafe withBody(of: request) { body in
            unsafe fields.withNative { unsafe nghttp2_submit_response(native, id, $0, $1, body) }
        }
        guard result == 0 else { throw .nghttp2(.closed, result) }
    }

    func reset(_ id: Int32, _ code: HTTP2ErrorCode) {
        unsafe _ = nghttp2_submit_rst_stream(native, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, code.rawValue)
    }

    /// Tells the peer that no stream above `lastStream` (by default the last one seen) was or will be processed, and
    /// closes those. Answers with `lastStream`.
    @discardableResult
    func goAway(_ code: HTTP2ErrorCode, debugData: [UInt8] = [], lastStream: Int32? = nil) -> Int32 {
        let last = unsafe lastStream ?? nghttp2_session_get_last_proc_stream_id(native)
        unsafe _ = nghttp2_submit_goaway(
            native,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            last,
            code.rawValue,
            debugData,
            debugData.count
        )
        return last
    }

    func ping() {
        unsafe _ = nghttp2_submit_ping(native, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// Later SETTINGS.
    func change(_ settings: SessionSettings) throws(HTTP2Error) { try submitSettings(settings) }

    /// The first SETTINGS, and the connection's window where it is to be larger than the protocol's 65 535 bytes.
    func announce(_ settings: SessionSettings) throws(HTTP2Error) {
        try submitSettings(settings)
        if let window = settings.connectionWindow {
            unsafe _ = nghttp2_session_set_local_window_size(
                native,
                UInt8(NGHTTP2_FLAG_NONE.rawValue),
                0,
                Int32(clamping: window)
            )
        }
    }

    private func submitSettings(_ settings: SessionSettings) throws(HTTP2Error) {
        var entries: [nghttp2_settings_entry] = []
        func add(_ id: nghttp2_settings_id, _ value: Int?) {
            guard let value else { return }
            entries.append(nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: UInt32(clamping: value)))
        }
        add(NGHTTP2_SETTINGS_ENABLE_PUSH, role == .client ? 0 : nil)
        add(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, settings.maxConcurrentStreams)
        add(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, settings.headerTableSize)
        add(NGHTTP2_SETTINGS_MAX_FRAME_SIZE, settings.maxFrameSize)
        add(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, settings.maxHeaderListSize)
        add(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, settings.initialWindow)
        let result = unsafe nghttp2_submit_settings(native, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
        guard result == 0 else { throw .nghttp2(.badConfiguration, result) }
    }

    /// Lends a source for the stream's body, or nil when it has none and END_STREAM can stand on the fields.
    private func withBody(of stream: SessionStream, _ submit: (UnsafePointer<nghttp2_data_provider>?) -> Int32) -> Int32
    {
        guard !stream.outgoing.isEmpty else { return submit(nil) }
        var provider = unsafe bodyProvider(of: stream)
        return unsafe submit(&provider)
    }
}
