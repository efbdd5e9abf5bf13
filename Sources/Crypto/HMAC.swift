private import COpenSSL

/// HMAC with SHA-256 (RFC 2104), 32 bytes.
package func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8] {
    unsafe hmac(EVP_sha256(), 32, key, message)
}

/// HMAC with SHA-512, 64 bytes.
package func hmacSHA512(key: [UInt8], message: [UInt8]) -> [UInt8] {
    unsafe hmac(EVP_sha512(), 64, key, message)
}

private func hmac(_ digest: OpaquePointer?, _ size: Int, _ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
        let done = unsafe HMAC(
            digest,
            key,
            Int32(key.count),
            message,
            message.count,
            buffer.baseAddress,
            nil
        )
        precondition(unsafe done != nil, "HMAC failed")
        filled = size
    }
}

/// Whether two secrets are equal, in a time that depends on their lengths alone.
package func constantTimeEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    return unsafe CRYPTO_memcmp(a, b, a.count) == 0
}
