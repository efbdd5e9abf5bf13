internal import HTTPServer

extension Problem {
    /// Of a request that the server refused before any handler saw it.
    init(_ fault: HTTPFault) {
        switch fault {
        case .badFraming: self.init(.malformedRequest)
        case .headerTooLarge: self.init(.headersTooLarge)
        case .bodyTooLarge(let limit): self.init(.tooLarge, "At most \(limit) bytes.", extra: .limit(limit))
        case .overloaded: self.init(.overloaded, extra: .retryAfter(1))
        case .timedOut: self.init(.requestTimeout)
        case .methodUnsupported: self.init(.notImplemented)
        case .versionUnsupported: self.init(.versionNotSupported)
        }
    }
}
