private import Crypto
private import JSONText

/// A JWT in compact form (RFC 7519; RFC 7515, section 7.1), read but not believed: who reads its payload verifies it first.
package struct JSONWebToken: Sendable {
    /// What its header claims. A key decides whether that is its own algorithm.
    package let algorithm: String
    package let keyID: String?
    package let payload: [UInt8]
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// nil unless it has three parts in strict base 64 and a header of strict JSON, without extensions that must be understood
    /// (`crit`: none is).
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), let header = (try? JSON.parse(bytes))?.objectValue,
            let algorithm = header["alg"]?.stringValue, header["crit"] == nil
        else { return nil }
        keyID = header["kid"]?.stringValue
        guard header["kid"] == nil || keyID != nil else { return nil }
        self.algorithm = algorithm
        self.payload = payload
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    /// Whether it is signed with this key, by the key's own algorithm: `none` is no key's, and no public key is a secret
    /// (RFC 8725, sections 2.1 and 3.1).
    package func isSigned(with key: TokenKey) -> Bool {
        guard algorithm == key.algorithm else { return false }
        switch key.material {
        case .secret(let secret): return constantTimeEqual(signature, hmacSHA256(key: secret, message: signed))
        case .publicKey(let key): return key.isValid(signature, for: signed)
        }
    }
}
