/// What a server accepts, and for how long it waits.
package struct HTTPServerSettings: Hashable, Sendable {
    package var host: String
    /// 0 takes a free port.
    package var port: Int
    /// Several servers may listen on the port, one a loop.
    package var sharesPort = false
    /// The largest body as sent.
    package var maxBodyBytes = 4 << 20
    /// The bodies of all requests that are arriving or not answered yet; what goes beyond is refused.
    package var allBodiesBytes = 128 << 20
    /// The request line and all headers together.
    package var headerBytes = 8192
    /// From the connection, or from the request line of a later request, to the empty line after the headers.
    package var headerDeadline = Duration.seconds(10)
    /// From the headers to the last byte of the body, however busily it trickles.
    package var bodyDeadline = Duration.seconds(30)
    /// From an answer to the next request line.
    package var idleDeadline = Duration.seconds(75)
    /// From an answer to its last byte; for a streamed body, for each piece.
    package var writeDeadline = Duration.seconds(30)
    /// For what is under way when the server is told to stop.
    package var drainDeadline = Duration.seconds(8)
    /// Connections at once; more of them wait in the kernel's queue.
    package var connectionLimit = 4096

    package init(host: String = "127.0.0.1", port: Int = 0) {
        self.host = host
        self.port = port
    }

    /// How often deadlines are looked at: often enough that none is missed by more than an eighth, and seldom enough
    /// to cost nothing.
    var tick: Duration {
        let shortest = min(headerDeadline, bodyDeadline, idleDeadline, writeDeadline)
        return min(max(shortest / 8, .milliseconds(10)), .seconds(1))
    }
}
