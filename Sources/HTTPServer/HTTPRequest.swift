/// A whole request, body included.
package struct HTTPRequest: Sendable {
    package var method: String
    /// Still percent-encoded, without the query; begins with a slash, or is `*`.
    package var path: String
    /// What followed the first question mark, still encoded.
    package var query: String?
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// The numeric address of the other end of the connection, which may be a proxy.
    package var peer: String

    package init(
        method: String,
        path: String,
        query: String? = nil,
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = [],
        peer: String = "127.0.0.1"
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.peer = peer
    }
}

/// An answer.
package struct HTTPResponse: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Written piece by piece, chunked. Returning ends the body properly; throwing cuts the connection, so that
        /// nobody takes half a body for a whole one. Cancelled when the server drains: an endless stream returns then.
        case stream(@Sendable (HTTPBodyWriter) async throws -> Void)
    }

    package var status: Int
    /// Content-Length, Date, Connection and Transfer-Encoding are the server's own.
    package var headers: [HTTPField]
    package var body: Body

    package init(status: Int, headers: [HTTPField] = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
