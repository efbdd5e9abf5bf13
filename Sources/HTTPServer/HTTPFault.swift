/// Why a request was refused before any handler saw it.
package enum HTTPFault: Hashable, Sendable {
    /// The bytes do not say beyond doubt where the request ends, or break the grammar (RFC 9112).
    case badFraming
    case headerTooLarge
    /// With the limit in bytes.
    case bodyTooLarge(limit: Int)
    /// The bodies of all requests together hold as much as they may.
    case overloaded
    /// The request was not complete in time.
    case timedOut
    /// A method that no server of ours can mean anything by: CONNECT, TRACE, and any that HTTP does not know.
    case methodUnsupported
    case versionUnsupported

    package var status: Int {
        switch self {
        case .badFraming: 400
        case .headerTooLarge: 431
        case .bodyTooLarge: 413
        case .timedOut: 408
        case .overloaded: 503
        case .methodUnsupported: 501
        case .versionUnsupported: 505
        }
    }

    /// The reason phrase for answers that are written past the library.
    var reason: String {
        switch self {
        case .badFraming: "Bad Request"
        case .headerTooLarge: "Request Header Fields Too Large"
        case .bodyTooLarge: "Content Too Large"
        case .timedOut: "Request Timeout"
        case .overloaded: "Service Unavailable"
        case .methodUnsupported: "Not Implemented"
        case .versionUnsupported: "HTTP Version Not Supported"
        }
    }
}
