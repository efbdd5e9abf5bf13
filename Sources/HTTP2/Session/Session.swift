private import CNGHTTP2

/// One HTTP/2 session, client or server, without a socket: bytes in, bytes and events out (RFC 9113, by nghttp2).
///
/// A class because nghttp2's callbacks need an address that stays. Not thread-safe: its owner is an actor.
@safe
final class Session {
    enum Role {
        case client
        case server
    }

    let role: Role
    let native: OpaquePointer
    let maxBodyBytes: Int
    /// Reused by every message.
    var fields = FieldBlock()
    /// The fields that are coming in: those of two messages never mix (RFC 9113, section 4.3).
    private(set) var incoming = HTTP2Headers()
    /// The largest `listSize` they may have, and whether they have more.
    private var incomingLimit = 0
    private(set) var isIncomingTooLarge = false
    /// What this side takes from the first request on; later limits count once the peer has acknowledged them.
    private let firstHeaderListLimit: Int

    /// Every stream that is not closed.
    private(set) var streams: [Int32: SessionStream] = [:]
    /// Callbacks for one stream come in a row; this spares the look-up.
    private var latest: SessionStream?
    private var events: [SessionEvent] = []

    init(role: Role, settings: SessionSettings) throws(HTTP2Error) {
        self.role = role
        maxBodyBytes = settings.maxBodyBytes
        firstHeaderListLimit = settings.maxHeaderListSize ?? .max
        unsafe native = unsafe makeNativeSession(role)
        unsafe nghttp2_session_set_user_data(native, Unmanaged.passUnretained(self).toOpaque())
        try announce(settings)
    }

    deinit { unsafe nghttp2_session_del(native) }

    // MARK: - Bytes

    /// Takes in the first `count` bytes, sent by the peer; afterwards look at `takeEvents()` and send what `produce`
    /// gives.
    func receive(_ bytes: [UInt8], count: Int) throws(HTTP2Error) {
        let result = unsafe nghttp2_session_mem_recv(native, bytes, count)
        guard result >= 0 else { throw .nghttp2(.protocolViolation, Int32(clamping: result)) }
    }

    /// Adds what is to be sent to `buffer` until it holds at least `wanted` bytes or nothing is left.
    func produce(into buffer: inout [UInt8], atLeast wanted: Int) throws(HTTP2Error) {
        while buffer.count < wanted {
            var start: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(native, &start)
            guard count > 0 else {
                if count < 0 { throw .nghttp2(.protocolViolation, Int32(clamping: count)) }
                return
            }
            unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
        }
    }

    /// What happened since the last call, in order.
    func takeEvents() -> [SessionEvent] {
        guard !events.isEmpty else { return [] }
        var taken: [SessionEvent] = []
        swap(&taken, &events)
        return taken
    }

    /// Whether nothing more will be read or written: the connection can be closed.
    var isFinished: Bool {
        unsafe nghttp2_session_want_read(native) == 0 && nghttp2_session_want_write(native) == 0
    }

    /// How many streams the peer allows at once, by its latest SETTINGS.
    var peerMaxConcurrentStreams: Int {
        Int(unsafe nghttp2_session_get_remote_settings(native, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    /// How large a request's fields may be for the peer, by its latest SETTINGS.
    var peerMaxHeaderListSize: Int {
        Int(unsafe nghttp2_session_get_remote_settings(native, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE))
    }

    /// How many streams the peer may open at once: the latest limit that it has acknowledged.
    var acknowledgedMaxConcurrentStreams: Int {
        Int(unsafe nghttp2_session_get_local_settings(native, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    // MARK: - Called by the callbacks

    func beginFields() {
        incoming = HTTP2Headers()
        isIncomingTooLarge = false
        let acknowledged = unsafe nghttp2_session_get_local_settings(native, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE)
        incomingLimit = acknowledged == .max ? firstHeaderListLimit : Int(acknowledged)
    }

    /// Fields beyond the limit have been decoded, as HPACK's tables need it, and are kept nowhere (RFC 9113, section
    /// 10.5.1).
    func addField(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        guard !isIncomingTooLarge else { return }
        unsafe incoming.append(name: name, value: value)
        isIncomingTooLarge = incoming.listSize > incomingLimit
    }

    func stream(_ id: Int32) -> SessionStream? {
        if let latest, latest.id == id { return latest }
        let found = streams[id]
        latest = found
        return found
    }

    func open(_ stream: SessionStream) {
        streams[stream.id] = stream
        latest = stream
    }

    func close(_ id: Int32, _ code: HTTP2ErrorCode) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        latest = nil
        events.append(.closed(stream, code))
    }

    func notice(_ event: SessionEvent) { events.append(event) }
}

extension HTTP2Error {
    /// An error that nghttp2 reported, in its own words.
    static func nghttp2(_ code: Code, _ number: Int32) -> HTTP2Error {
        HTTP2Error(code, unsafe String(cString: nghttp2_strerror(number)))
    }
}
