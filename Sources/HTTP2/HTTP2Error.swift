/// Why a connection could not be made or kept.
package struct HTTP2Error: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// A certificate, key or trust file cannot be read.
        case badConfiguration
        /// No connection to the host and port.
        case unreachable
        /// The proxy opens no way to the host.
        case proxyRefused
        /// The handshake failed; the certificate is not trusted, or is another host's.
        case tlsFailed
        /// The peer speaks TLS but did not agree on `h2`: a proxy, perhaps. There is no fallback.
        case notHTTP2
        /// The peer broke the protocol.
        case protocolViolation
        /// The request's fields are larger than the peer is prepared to accept. They were not sent.
        case fieldsTooLarge
        /// The connection ended.
        case closed
        /// The peer did not answer in time.
        case timedOut
    }

    package let code: Code
    /// For people who look for the cause; never holds fields or bodies.
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { "\(code.rawValue): \(detail)" }
}

/// Why a stream or connection was ended (RFC 9113, section 7).
package struct HTTP2ErrorCode: Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let noError = HTTP2ErrorCode(rawValue: 0x0)
    package static let protocolError = HTTP2ErrorCode(rawValue: 0x1)
    package static let internalError = HTTP2ErrorCode(rawValue: 0x2)
    package static let streamClosed = HTTP2ErrorCode(rawValue: 0x5)
    /// The request was not processed at all and may be sent again.
    package static let refusedStream = HTTP2ErrorCode(rawValue: 0x7)
    package static let cancel = HTTP2ErrorCode(rawValue: 0x8)
    package static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 0xb)
}
