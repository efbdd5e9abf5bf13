package import Runtime

/// A server that a client connects to again and again: where it is, whom to trust, and the TLS session to resume.
package final class HTTP2Origin: Sendable {
    package let host: String
    package let port: Int
    private let proxy: HTTP2Proxy?
    private let context: TLSContext
    private let session = Locked<TLSSession?>(nil)

    /// - Throws: `badConfiguration` when the trusted certificates cannot be read.
    package init(host: String, port: Int, trust: TLSTrust, proxy: HTTP2Proxy? = nil) throws(HTTP2Error) {
        self.host = host
        self.port = port
        self.proxy = proxy
        context = try .client(trust: trust)
    }

    /// The `:authority` of requests.
    var authority: String {
        port == 443 ? Self.bracketed(host) : Self.authority(host, port)
    }

    private static func authority(_ host: String, _ port: Int) -> String { "\(bracketed(host)):\(port)" }
    private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    /// Connects, shakes hands and returns a connection that is ready for requests. The name is looked up afresh each
    /// time (sender rule 4). Call it on the loop, from the actor that will own the connection; `onEvent` must hold that
    /// actor weakly, because a connection lives until it has ended, whoever lets go of it.
    ///
    /// - Throws: `unreachable`, `proxyRefused`, `tlsFailed`, `notHTTP2` or `timedOut`, never later than `limit`.
    package func connect(
        on loop: EventLoop,
        within limit: Duration,
        onEvent: @escaping (HTTP2ClientConnection.Event) -> Void
    ) async throws(HTTP2Error) -> HTTP2ClientConnection {
        let deadline = MonotonicTime.now + limit
        let socket = try await reach(until: deadline, on: loop)
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

    /// A socket that leads to the server, through the proxy where there is one.
    private func reach(until deadline: MonotonicTime, on loop: EventLoop) async throws(HTTP2Error) -> Descriptor {
        let (firstHost, firstPort) = proxy.map { ($0.host, $0.port) } ?? (host, port)
        let socket: Descriptor
        do {
            socket = try await Socket.connect(host: firstHost, port: firstPort, within: deadline - .now, on: loop)
        } catch {
            throw HTTP2Error(error.code == .timedOut ? .timedOut : .unreachable, "\(firstHost):\(firstPort): \(error)")
        }
        guard let proxy else { return socket }
        return try await proxy.openTunnel(through: socket, to: Self.authority(host, port), until: deadline, on: loop)
    }

    func remember(_ session: TLSSession) { self.session.withLock { $0 = session } }
}
