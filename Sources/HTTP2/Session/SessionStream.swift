/// One request and its answer while they are under way, on either side.
final class SessionStream {
    var id: Int32
    /// What this side sends.
    var outgoing: [UInt8]
    var outgoingOffset = 0
    /// Whether this side has handed over its last byte: before that the peer cannot have the whole message.
    var hasSentAll = false

    private(set) var headers = HTTP2Headers()
    var body: [UInt8] = []
    var hasReceivedAll = false
    /// Whether the peer sent more fields than this side had announced to take.
    var hasTooLargeFields = false

    /// The client's side of the story: who waits, and until when.
    var call: ClientCall?
    /// The server's side: the handler at work.
    var work: Task<Void, Never>?

    init(id: Int32, outgoing: [UInt8] = []) {
        self.id = id
        self.outgoing = outgoing
    }

    /// Takes a block of fields that is complete.
    func receive(_ fields: HTTP2Headers) {
        // An interim response (1xx) gives way to the one that follows; trailers join what they follow.
        if headers.count == 0 || headers.status / 100 == 1 {
            headers = fields
        } else {
            headers.append(fields)
        }
    }
}
