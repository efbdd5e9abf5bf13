/// Why a request has no answer.
package struct HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// No connection was made: nothing of the request reached anybody.
        case unreachable
        /// The deadline passed; whether the request took effect is told by `requestWasWritten`.
        case timedOut
        /// The connection ended after the request was written: it may have taken effect.
        case lost
        /// The caller was cancelled.
        case cancelled
        /// The answer is not HTTP, or larger than allowed.
        case badResponse
        /// The method, path or a header holds what cannot be sent.
        case badRequest
    }

    package let code: Code
    /// Whether bytes of the request went out. When not, repeating it is safe whatever it asks for.
    package let requestWasWritten: Bool
    /// The library's words; they name no header, path or body.
    package let detail: String

    package init(_ code: Code, requestWasWritten: Bool = false, _ detail: String = "") {
        self.code = code
        self.requestWasWritten = requestWasWritten
        self.detail = detail
    }

    package var description: String { detail.isEmpty ? code.rawValue : "\(code.rawValue): \(detail)" }
}

/// What to do about a request that has no answer.
package enum HTTPClientRemedy: Hashable, Sendable {
    /// Try again after a pause: the request cannot have taken effect.
    case retry
    /// Try again after a pause only when repeating is harmless.
    case retryIfRepeatable
    /// Trying again would fail the same way.
    case giveUp
}

extension HTTPClientError {
    package var remedy: HTTPClientRemedy {
        switch code {
        case .unreachable: .retry
        case .timedOut: requestWasWritten ? .retryIfRepeatable : .retry
        case .lost: .retryIfRepeatable
        case .cancelled, .badResponse, .badRequest: .giveUp
        }
    }
}
