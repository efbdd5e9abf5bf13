/// What a session noticed while it took in bytes or gave some out.
enum SessionEvent {
    /// A server's stream holds a whole request.
    case request(SessionStream)
    /// A server's stream holds a request whose fields are larger than it takes.
    case oversized(SessionStream)
    /// A stream is over; after this the session forgets it.
    case closed(SessionStream, HTTP2ErrorCode)
    /// The peer's SETTINGS took effect; how many streams it allows now.
    case settings(maxConcurrentStreams: Int)
    case goAway(HTTP2GoAway)
    case ping
    case pong
    /// The peer sent a priority, which APNs forbids its providers.
    case priority
    /// The peer opened a stream above the limit that it had acknowledged; the session is about to end.
    case excessStream
}
