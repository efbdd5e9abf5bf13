private import COpenSSL

/// A public key as its numbers, of one of the kinds that sign JSON Web Tokens. It verifies by its one algorithm only.
package struct VerifyingKey: Sendable {
    /// Names of RFC 7518, section 3.1 and RFC 8037, section 3.1.
    package enum Algorithm: String, Sendable {
        case es256 = "ES256"
        case rs256 = "RS256"
        case edDSA = "EdDSA"
    }

    package let algorithm: Algorithm
    private let handle: KeyHandle

    /// A point on P-256, 32 bytes each.
    package init(p256X x: [UInt8], y: [UInt8]) throws(CryptoError) {
        guard x.count == 32, y.count == 32 else { throw CryptoError(.badLength, "coordinates") }
        algorithm = .es256
        handle = try KeyHandle(publicDER: DER.keyInfo(DER.p256, key: [0x04] + x + y), kind: .p256)
    }

    /// RSA, with the signatures of PKCS 1 version 1.5; numbers are big-endian.
    package init(rsaModulus modulus: [UInt8], exponent: [UInt8]) throws(CryptoError) {
        guard (256...1_024).contains(modulus.count), (1...8).contains(exponent.count), modulus[0] != 0,
            exponent[0] != 0, let last = exponent.last, last & 1 == 1, exponent != [1]
        else { throw CryptoError(.badLength, "modulus or exponent") }
        algorithm = .rs256
        let numbers = DER.tagged(0x30, DER.number(modulus) + DER.number(exponent))
        handle = try KeyHandle(publicDER: DER.keyInfo(DER.rsa, key: numbers), kind: .rsa)
    }

    /// Edwards curve 25519, 32 bytes.
    package init(ed25519 key: [UInt8]) throws(CryptoError) {
        guard key.count == 32 else { throw CryptoError(.badLength, "public key") }
        algorithm = .edDSA
        handle = try KeyHandle(publicDER: DER.keyInfo(DER.ed25519, key: key), kind: .ed25519)
    }

    /// Whether a signature, written as JWS has it, belongs to the message.
    package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        switch algorithm {
        case .es256: ES256PublicKey(handle: handle).isValid(signature, for: message)
        case .rs256: unsafe handle.verifies(signature, of: message, digest: EVP_sha256())
        case .edDSA: unsafe handle.verifies(signature, of: message, digest: nil)
        }
    }
}

/// What little of DER a public key takes (X.690; RFC 5280, section 4.1).
private enum DER {
    /// id-ecPublicKey with prime256v1 (RFC 5480, section 2.1.1).
    static let p256: [UInt8] = [
        0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01,
        0x07,
    ]
    /// rsaEncryption with its null (RFC 3279, section 2.3.1).
    static let rsa: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00]
    /// id-Ed25519 (RFC 8410, section 3).
    static let ed25519: [UInt8] = [0x06, 0x03, 0x2B, 0x65, 0x70]

    static func keyInfo(_ algorithm: [UInt8], key: [UInt8]) -> [UInt8] {
        tagged(0x30, tagged(0x30, algorithm) + tagged(0x03, [0] + key))
    }

    static func number(_ bytes: [UInt8]) -> [UInt8] {
        // A leading bit would make it negative.
        tagged(0x02, (bytes.first ?? 0) > 0x7F ? [0] + bytes : bytes)
    }

    static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            if count < 0x80 {
                [UInt8(count)]
            } else if count < 0x100 {
                [0x81, UInt8(count)]
            } else {
                [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
            }
        return [tag] + length + content
    }
}
