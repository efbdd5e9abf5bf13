private import COpenSSL

/// A P-256 key that signs: ECDSA with SHA-256 (RFC 7518, section 3.4).
package struct ES256PrivateKey: Sendable {
    let handle: KeyHandle

    /// Reads PKCS 8 or SEC 1 PEM without a passphrase, such as the `.p8` files of Apple.
    package init(pem: String) throws(CryptoError) { handle = try KeyHandle(privatePEM: pem) }

    private init(handle: KeyHandle) { self.handle = handle }

    package static func generate() throws(CryptoError) -> ES256PrivateKey {
        ES256PrivateKey(handle: try .generate())
    }

    /// PKCS 8 PEM. A secret.
    package func pem() throws(CryptoError) -> String { try handle.privatePEM() }

    package var publicKey: ES256PublicKey { ES256PublicKey(handle: handle) }

    /// The signature as JWS wants it: r and s, 32 bytes each.
    package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let context = unsafe EVP_MD_CTX_new() else { throw .library("signature") }
        defer { unsafe EVP_MD_CTX_free(context) }
        var der = [UInt8](repeating: 0, count: 80)
        var length = der.count
        guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle.key) == 1,
            unsafe EVP_DigestSign(context, &der, &length, message, message.count) == 1
        else { throw .library("signature") }
        return try ES256Signature.raw(der: Array(der.prefix(length)))
    }
}

/// A P-256 key that verifies.
package struct ES256PublicKey: Sendable {
    private let handle: KeyHandle

    init(handle: KeyHandle) { self.handle = handle }

    /// Reads a `PUBLIC KEY` PEM.
    package init(pem: String) throws(CryptoError) { handle = try KeyHandle(publicPEM: pem) }

    package func pem() throws(CryptoError) -> String { try handle.publicPEM() }

    /// Whether `signature`, 64 bytes r and s, belongs to the message.
    package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard let der = ES256Signature.der(raw: signature) else { return false }
        return isValid(der: der, for: message)
    }

    /// Whether a signature in DER belongs to the message. APNs takes this form too; JWS does not know it.
    package func isValid(der signature: [UInt8], for message: [UInt8]) -> Bool {
        unsafe handle.verifies(signature, of: message, digest: EVP_sha256())
    }
}

/// As PEM.
extension ES256PublicKey: Codable {
    package init(from decoder: any Decoder) throws {
        try self.init(pem: decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(pem())
    }
}

/// The two encodings of an ECDSA signature.
private enum ES256Signature {
    static func raw(der: [UInt8]) throws(CryptoError) -> [UInt8] {
        let parsed = unsafe der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe d2i_ECDSA_SIG(nil, &position, buffer.count)
        }
        guard let parsed = unsafe parsed else { throw .library("signature") }
        defer { unsafe ECDSA_SIG_free(parsed) }
        // Padded: r or s has a leading zero byte about once in 128 signatures.
        var raw = [UInt8](repeating: 0, count: 64)
        let written = unsafe raw.withUnsafeMutableBufferPointer { buffer in
            let r = unsafe BN_bn2binpad(ECDSA_SIG_get0_r(parsed), buffer.baseAddress, 32)
            let s = unsafe BN_bn2binpad(ECDSA_SIG_get0_s(parsed), buffer.baseAddress?.advanced(by: 32), 32)
            return r == 32 && s == 32
        }
        guard written else { throw .library("signature") }
        return raw
    }

    static func der(raw: [UInt8]) -> [UInt8]? {
        guard raw.count == 64, let signature = unsafe ECDSA_SIG_new() else { return nil }
        defer { unsafe ECDSA_SIG_free(signature) }
        let r = unsafe BN_bin2bn(Array(raw.prefix(32)), 32, nil)
        let s = unsafe BN_bin2bn(Array(raw.suffix(32)), 32, nil)
        guard unsafe ECDSA_SIG_set0(signature, r, s) == 1 else {
            unsafe BN_free(r)
            unsafe BN_free(s)
            return nil
        }
        var der = [UInt8](repeating: 0, count: 80)
        let length = unsafe der.withUnsafeMutableBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe i2d_ECDSA_SIG(signature, &position)
        }
        return length > 0 ? Array(der.prefix(Int(length))) : nil
    }
}
