package import Crypto
internal import JSONText

/// A key that verifies tokens by one algorithm.
package struct TokenKey: Sendable {
    enum Material: Sendable {
        /// HS256.
        case secret([UInt8])
        case publicKey(VerifyingKey)
    }

    package let id: String?
    let material: Material

    /// A secret shared with who signs.
    package init(secret: [UInt8]) {
        id = nil
        material = .secret(secret)
    }

    package init(_ key: VerifyingKey, id: String? = nil) {
        self.id = id
        material = .publicKey(key)
    }

    package var algorithm: String {
        switch material {
        case .secret: "HS256"
        case .publicKey(let key): key.algorithm.rawValue
        }
    }
}

extension TokenKey {
    /// A public key as JWK (RFC 7517); nil for one of another kind, algorithm or use, above all for secrets: a document that
    /// is published holds none.
    init?(jwk: JSON) {
        guard jwk["use"] == nil || jwk["use"] == "sig",
            jwk["key_ops"]?.arrayValue?.contains("verify") ?? true,
            jwk["kid"] == nil || jwk["kid"]?.stringValue != nil,
            let key = VerifyingKey(jwk: jwk), jwk["alg"] == nil || jwk["alg"] == .string(key.algorithm.rawValue)
        else { return nil }
        self.init(key, id: jwk["kid"]?.stringValue)
    }
}

extension VerifyingKey {
    /// RFC 7518, sections 6.2 and 6.3; RFC 8037, section 2.
    fileprivate init?(jwk: JSON) {
        func bytes(_ name: String) -> [UInt8]? { jwk[name]?.stringValue.flatMap { Base64URL.decode($0) } }
        let key: VerifyingKey?
        switch (jwk["kty"]?.stringValue, jwk["crv"]?.stringValue) {
        case ("EC", "P-256"):
            guard let x = bytes("x"), let y = bytes("y") else { return nil }
            key = try? VerifyingKey(p256X: x, y: y)
        case ("RSA", _):
            guard let modulus = bytes("n"), let exponent = bytes("e") else { return nil }
            key = try? VerifyingKey(rsaModulus: modulus, exponent: exponent)
        case ("OKP", "Ed25519"): key = bytes("x").flatMap { try? VerifyingKey(ed25519: $0) }
        default: key = nil
        }
        guard let key else { return nil }
        self = key
    }
}
