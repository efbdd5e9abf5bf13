private import Crypto
private import JSONText

/// A JWT in compact form whose header says HS256; nothing else is one here, above all not `none` (RFC 8725, section 3.1).
struct JSONWebToken {
    let payload: [UInt8]
    private let signed: [UInt8]
    private let signature: [UInt8]

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]),
            (try? JSON.parse(header))?["alg"] == "HS256"
        else { return nil }
        self.payload = payload
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    func isSigned(withOneOf secrets: [String]) -> Bool {
        secrets.reduce(false) { found, secret in
            constantTimeEqual(signature, hmacSHA256(key: Array(secret.utf8), message: signed)) || found
        }
    }
}
