package import HTTPServer

extension Endpoints {
    /// The answer to a request that the server refused before any handler saw it.
    package static func response(to fault: HTTPFault) -> HTTPResponse { .problem(Problem(fault)) }
}

extension Problem {
    fileprivate init(_ fault: HTTPFault) {
        switch fault {
        case .badFraming: self.init(.malformedRequest)
        case .headerTooLarge: self.init(.headersTooLarge)
        case .bodyTooLarge(let limit): self.init(.tooLarge, "At most \(limit) bytes.", extra: .limit(limit))
        case .timedOut: self.init(.requestTimeout)
        case .methodUnsupported: self.init(.notImplemented)
        case .versionUnsupported: self.init(.versionNotSupported)
        }
    }
}
