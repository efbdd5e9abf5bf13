/// Why a simulator does not start.
package struct SimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The certificate or its key cannot be used.
        case badIdentity
        /// A port is taken or not ours.
        case cannotListen
        /// The file of the state cannot be read, or holds none.
        case badState
        /// The file of the state cannot be written.
        case cannotKeepState
    }

    package let code: Code
    package let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { "\(code.rawValue): \(detail)" }
}
