internal import CNGHTTP2

/// A native session whose callbacks find their `Session` in its user data, which has to be set before any byte moves.
func makeNativeSession(_ role: Session.Role) -> OpaquePointer {
    var callbacks: OpaquePointer?
    var options: OpaquePointer?
    var session: OpaquePointer?
    defer {
        unsafe nghttp2_session_callbacks_del(callbacks)
        unsafe nghttp2_option_del(options)
    }
    unsafe precondition(nghttp2_session_callbacks_new(&callbacks) == 0, "out of memory")
    unsafe precondition(nghttp2_option_new(&options) == 0, "out of memory")
    unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, beganHeaders)
    unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks, receivedHeader)
    unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, receivedData)
    unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, receivedFrame)
    unsafe nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, receivedInvalidFrame)
    unsafe nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, sentFrame)
    unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, closedStream)
    // Closed streams are of use to priorities only.
    unsafe nghttp2_option_set_no_closed_streams(options, 1)
    let made =
        switch role {
        case .client: unsafe nghttp2_session_client_new2(&session, callbacks, nil, options)
        case .server: unsafe nghttp2_session_server_new2(&session, callbacks, nil, options)
        }
    guard made == 0, let session = unsafe session else { fatalError("out of memory") }
    return unsafe session
}

/// The source of a stream's body. The stream is found by its id: nothing has to be kept alive for nghttp2.
func bodyProvider(of stream: SessionStream) -> nghttp2_data_provider {
    var provider = unsafe nghttp2_data_provider()
    unsafe provider.read_callback = readBody
    return unsafe provider
}

private func session(_ context: UnsafeMutableRawPointer?) -> Session? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<Session>.fromOpaque(context).takeUnretainedValue()
}

private func beganHeaders(
    _ native: OpaquePointer?,
    _ frame: UnsafePointer<nghttp2_frame>?,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = unsafe session(context), let frame = unsafe frame else { return 0 }
    session.beginFields()
    if session.role == .server, unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST {
        session.open(SessionStream(id: unsafe frame.pointee.hd.stream_id))
    }
    return 0
}

private func receivedHeader(
    _ native: OpaquePointer?,
    _ frame: UnsafePointer<nghttp2_frame>?,
    _ name: UnsafePointer<UInt8>?,
    _ nameLength: Int,
    _ value: UnsafePointer<UInt8>?,
    _ valueLength: Int,
    _ flags: UInt8,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe session(context)?.addField(
        name: UnsafeBufferPointer(start: name, count: nameLength),
        value: UnsafeBufferPointer(start: value, count: valueLength)
    )
    return 0
}

private func receivedData(
    _ native: OpaquePointer?,
    _ flags: UInt8,
    _ id: Int32,
    _ data: UnsafePointer<UInt8>?,
    _ length: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = unsafe session(context), let stream = session.stream(id) else { return 0 }
    if stream.body.count + length > session.maxBodyBytes {
        session.reset(id, .enhanceYourCalm)
    } else {
        unsafe stream.body.append(contentsOf: UnsafeBufferPointer(start: data, count: length))
    }
    return 0
}

private func receivedFrame(
    _ native: OpaquePointer?,
    _ frame: UnsafePointer<nghttp2_frame>?,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = unsafe session(context), let frame = unsafe frame else { return 0 }
    let head = unsafe frame.pointee.hd
    switch UInt32(head.type) {
    case NGHTTP2_HEADERS.rawValue:
        if head.flags & UInt8(NGHTTP2_FLAG_PRIORITY.rawValue) != 0 { session.notice(.priority) }
        if session.isIncomingTooLarge {
            session.stream(head.stream_id)?.hasTooLargeFields = true
        } else {
            session.stream(head.stream_id)?.receive(session.incoming)
        }
        noticeEnd(head, in: session)
    case NGHTTP2_DATA.rawValue:
        noticeEnd(head, in: session)
    case NGHTTP2_SETTINGS.rawValue:
        if head.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 {
            session.notice(.settings(maxConcurrentStreams: session.peerMaxConcurrentStreams))
        }
    case NGHTTP2_GOAWAY.rawValue:
        unsafe session.notice(.goAway(HTTP2GoAway(frame.pointee.goaway)))
    case NGHTTP2_PING.rawValue:
        session.notice(head.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 ? .ping : .pong)
    case NGHTTP2_PRIORITY.rawValue:
        session.notice(.priority)
    default:
        break
    }
    return 0
}

/// Streams above a limit that the peer has yet to acknowledge are refused with another error: they break no rule.
private func receivedInvalidFrame(
    _ native: OpaquePointer?,
    _ frame: UnsafePointer<nghttp2_frame>?,
    _ error: Int32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = unsafe session(context), let frame = unsafe frame, session.role == .server,
        unsafe UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue, error == NGHTTP2_ERR_PROTO.rawValue,
        session.streams.count >= session.acknowledgedMaxConcurrentStreams
    else { return 0 }
    session.notice(.excessStream)
    return 0
}

private func noticeEnd(_ head: nghttp2_frame_hd, in session: Session) {
    guard head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0, let stream = session.stream(head.stream_id)
    else { return }
    stream.hasReceivedAll = true
    guard session.role == .server else { return }
    session.notice(stream.hasTooLargeFields ? .oversized(stream) : .request(stream))
}

private func sentFrame(
    _ native: OpaquePointer?,
    _ frame: UnsafePointer<nghttp2_frame>?,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = unsafe session(context), let frame = unsafe frame else { return 0 }
    let head = unsafe frame.pointee.hd
    guard UInt32(head.type) == NGHTTP2_DATA.rawValue || UInt32(head.type) == NGHTTP2_HEADERS.rawValue,
        head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
    else { return 0 }
    session.stream(head.stream_id)?.hasSentAll = true
    return 0
}

private func closedStream(
    _ native: OpaquePointer?,
    _ id: Int32,
    _ code: UInt32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe session(context)?.close(id, HTTP2ErrorCode(rawValue: code))
    return 0
}

private func readBody(
    _ native: OpaquePointer?,
    _ id: Int32,
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ capacity: Int,
    _ flags: UnsafeMutablePointer<UInt32>?,
    _ source: UnsafeMutablePointer<nghttp2_data_source>?,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let stream = unsafe session(context)?.stream(id), let buffer = unsafe buffer, let flags = unsafe flags
    else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
    let count = min(capacity, stream.outgoing.count - stream.outgoingOffset)
    unsafe stream.outgoing.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return }
        unsafe buffer.update(from: start + stream.outgoingOffset, count: count)
    }
    stream.outgoingOffset += count
    if stream.outgoingOffset == stream.outgoing.count {
        unsafe flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
    }
    return count
}

extension HTTP2GoAway {
    fileprivate init(_ frame: nghttp2_goaway) {
        unsafe self.init(
            lastStream: frame.last_stream_id,
            code: HTTP2ErrorCode(rawValue: frame.error_code),
            debugData: Array(UnsafeBufferPointer(start: frame.opaque_data, count: frame.opaque_data_len))
        )
    }
}
