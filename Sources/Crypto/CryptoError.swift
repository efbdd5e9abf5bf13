private import COpenSSL

/// What can go wrong in cryptography; never carries keys or messages.
package struct CryptoError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The text is not the PEM that was expected.
        case badPEM
        /// The key is readable but of another kind or curve.
        case wrongKeyKind
        /// A key, nonce or signature has the wrong length.
        case badLength
        /// The message was changed, or the key is another one.
        case notAuthentic
        /// The library refused; `detail` has its words.
        case library
    }

    package let code: Code
    /// The step that failed and, for `library`, OpenSSL's own words.
    package let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The newest entry of OpenSSL's error queue, which is emptied so that no later call reads it.
    static func library(_ step: String) -> CryptoError {
        let number = ERR_peek_last_error()
        ERR_clear_error()
        var text = [CChar](repeating: 0, count: 256)
        unsafe ERR_error_string_n(number, &text, text.count)
        return CryptoError(.library, "\(step): \(String(nullTerminated: text))")
    }

    package var description: String { "\(code.rawValue): \(detail)" }
}

extension String {
    /// The text of a C buffer up to its zero byte.
    init(nullTerminated buffer: [CChar]) {
        self.init(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
