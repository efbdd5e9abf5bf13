/// A request to be sent by a client. Scheme and authority are the connection's.
package struct HTTP2ClientRequest: Sendable {
    package var method: StaticString
    package var path: String
    package var fields: [HTTP2Field]
    package var body: [UInt8]

    package init(method: StaticString = "POST", path: String, fields: [HTTP2Field] = [], body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.fields = fields
        self.body = body
    }
}

/// A response as a client received it.
package struct HTTP2ClientResponse: Sendable {
    package let headers: HTTP2Headers
    package let body: [UInt8]

    package var status: Int { headers.status }
}

/// How a client's request ended. Exactly one of these is reported for every request.
package enum HTTP2Outcome: Sendable {
    case answered(HTTP2ClientResponse)
    /// The peer certainly did not process it: it was never written whole, or was refused, or stood above the last
    /// stream of a GOAWAY. It may be sent again.
    case unsent(HTTP2Error)
    /// It was written and its answer was lost: the peer may or may not have processed it.
    case unknown(HTTP2Error)
}

/// Names one connection of a server for as long as the server lives.
package struct HTTP2ConnectionID: Hashable, Comparable, Sendable {
    package let number: UInt64

    package init(number: UInt64) { self.number = number }

    package static func < (a: HTTP2ConnectionID, b: HTTP2ConnectionID) -> Bool { a.number < b.number }
}

/// A whole request as a server received it.
package struct HTTP2Request: Sendable {
    package let connection: HTTP2ConnectionID
    package let stream: Int32
    /// With the pseudo-fields `:method`, `:scheme`, `:authority` and `:path`.
    package let headers: HTTP2Headers
    package let body: [UInt8]

    package var method: String { headers[":method"] ?? "" }
    package var path: String { headers[":path"] ?? "" }
}

/// What a server's handler wants done with a request.
package enum HTTP2Answer: Sendable {
    case reply(HTTP2Reply)
    /// Ends the stream with RST_STREAM.
    case reset(HTTP2ErrorCode)
    /// Leaves the stream open and never answers.
    case silence
}

/// A response to be sent by a server.
package struct HTTP2Reply: Sendable {
    package var status: Int
    package var fields: [HTTP2Field]
    package var body: [UInt8]

    package init(status: Int, fields: [HTTP2Field] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// A GOAWAY as it was received (RFC 9113, section 6.8).
package struct HTTP2GoAway: Hashable, Sendable {
    /// Streams above this one were not processed.
    package let lastStream: Int32
    package let code: HTTP2ErrorCode
    package let debugData: [UInt8]
}
