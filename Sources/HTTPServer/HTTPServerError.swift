/// Why a server does not run.
package struct HTTPServerError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The address is taken, not ours, or forbidden.
        case cannotListen
        /// The library refused to start.
        case cannotStart
    }

    package let code: Code
    package let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { "\(code.rawValue): \(detail)" }
}

/// A streamed body has no reader any more: the client left, or was too slow.
package struct HTTPBodyClosed: Error, Hashable, Sendable {}
