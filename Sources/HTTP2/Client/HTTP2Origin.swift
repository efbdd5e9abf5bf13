package import Runtime

/// A server that a client connects to again and again: where it is, whom to trust, and the TLS session to resume.
package final class HTTP2Origin: Sendable {
    package let host: String
    package let port: Int
    private let context: TLSContext
    private let session = Locked<TLSSession?>(nil)

    /// - Throws: `badConfiguration` when the trusted certificates cannot be read.
    package init(host: String, port: Int, trust: TLSTrust) throws(HTTP2Error) {
        self.host = host
        self.port = port
        context = try .client(trust: trust)
    }

    /// The `:authority` of requests.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == 443 ? name : "\(name):\(port)"
    }

    /// Connects, shakes hands and returns a connection that is ready for requests. The name is looked up afresh each
    /// time (sender rule 4). Call it on the loop, from the actor that will own the connection; `onEvent` must hold that
    /// actor weakly, because a connection lives until it has ended, whoever lets go of it.
    ///
    /// - Throws: `unreachable`, `tlsFailed`, `notHTTP2` or `timedOut`, never later than `limit`.
    package func connect(
        on loop: EventLoop,
        within limit: Duration,
        onEvent: @escaping (HTTP2ClientConnection.Event) -> Void
    ) async throws(HTTP2Error) -> HTTP2ClientConnection {
        let deadline = MonotonicTime.now + limit
        let socket: Descriptor
        do {
            socket = try await Socket.connect(host: host, port: port, within: limit, on: loop)
        } catch {
            throw HTTP2Error(error.code == .timedOut ? .timedOut : .unreachable, "\(host):\(port): \(error)")
        }
        let connection = try HTTP2ClientConnection(
            socket: socket,
            tls: context.connect(to: host, resuming: session.withLock { $0 }),
            origin: self,
            loop: loop,
            onEvent: onEvent
        )
        try await connection.shakeHands(until: deadline)
        return connection
    }

    func remember(_ session: TLSSession) { self.session.withLock { $0 = session } }
}
