internal import Runtime

/// A client's connection, alive from its accept to its close. On the loop only.
@safe
final class Connection {
    let id: Int
    /// The socket, which belongs to the library.
    let socket: Int32
    let peer: String
    /// The library's handle.
    let handle: OpaquePointer
    var clock: ConnectionClock
    /// The target of the request that is arriving, as sent.
    var target = ""

    init(id: Int, socket: Int32, peer: String, handle: OpaquePointer, clock: ConnectionClock) {
        self.id = id
        self.socket = socket
        self.peer = peer
        unsafe self.handle = unsafe handle
        self.clock = clock
    }
}

/// One request and its answer. On the loop only.
final class Exchange {
    enum Stage {
        /// The body is arriving. Leaves to `.handling` when it is whole, to `.refused` when it is too large.
        case receiving
        /// Answered with a fault; the connection closes. Not left.
        case refused
        /// The handler has the request, and the library leaves the connection alone. Leaves to `.answered`.
        case handling
        /// The answer is the library's business. Not left.
        case answered
    }

    let id: Int
    let connection: Connection
    var stage = Stage.receiving
    var request: HTTPRequest
    /// What of its body counts against what all bodies may hold.
    var heldBytes = 0
    var stream: BodyStream?

    init(id: Int, connection: Connection, request: HTTPRequest) {
        self.id = id
        self.connection = connection
        self.request = request
    }
}
