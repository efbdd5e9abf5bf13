/// The writing end of a streamed body.
package struct HTTPBodyWriter: Sendable {
    private let server: HTTPServer
    private let exchange: Int

    init(_ server: HTTPServer, _ exchange: Int) {
        self.server = server
        self.exchange = exchange
    }

    /// Appends to the body, and waits while the client is more than 16 KiB behind.
    ///
    /// - Throws: `HTTPBodyClosed` when the client has left; the writing task is cancelled then too. It is noticed at the
    ///   earliest by the second write after it did: streams that may be silent for long need heartbeats.
    package func write(_ bytes: [UInt8]) async throws(HTTPBodyClosed) {
        try await server.write(bytes, to: exchange)
    }

    /// As `write(_:)`, for text.
    package func write(_ text: String) async throws(HTTPBodyClosed) { try await write(Array(text.utf8)) }
}
