private import COpenSSL

/// HMAC with SHA-256 (RFC 2104), 32 bytes.
package func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, filled in
        let done = unsafe HMAC(
            EVP_sha256(),
            key,
            Int32(key.count),
            message,
            message.count,
            buffer.baseAddress,
            nil
        )
        precondition(unsafe done != nil, "HMAC failed")
        filled = 32
    }
}

/// Whether two secrets are equal, in a time that depends on their lengths alone.
package func constantTimeEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    return unsafe CRYPTO_memcmp(a, b, a.count) == 0
}
