internal import HTTP2

extension APNsFailure {
    init(_ error: HTTP2Error) {
        let code: Code =
            switch error.code {
            case .badConfiguration, .proxyRefused, .tlsFailed, .notHTTP2: .misconfigured
            case .unreachable: .unreachable
            case .timedOut: .deadline
            case .fieldsTooLarge: .invalidRequest
            case .protocolViolation, .closed: .lost
            }
        self.init(code, "\(error)")
    }

    /// As above for an attempt to connect: a slow connection is no slow answer.
    init(connecting error: HTTP2Error) {
        let failure = APNsFailure(error)
        self.init(failure.code == .deadline || failure.code == .lost ? .unreachable : failure.code, failure.detail)
    }
}
