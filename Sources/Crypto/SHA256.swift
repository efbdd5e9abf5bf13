private import COpenSSL

/// SHA-256 (FIPS 180-4), 32 bytes.
package enum SHA256 {
    /// The digest of the whole message.
    package static func digest(_ message: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, filled in
            let done = unsafe EVP_Digest(message, message.count, buffer.baseAddress, nil, algorithm.md, nil)
            precondition(done == 1, "SHA-256 is not available")
            filled = 32
        }
    }

    /// A digest over parts that arrive one after the other.
    @safe
    package struct Hasher: ~Copyable {
        private let context: OpaquePointer

        package init() {
            guard let context = unsafe EVP_MD_CTX_new() else { fatalError("out of memory") }
            unsafe self.context = unsafe context
            precondition(unsafe EVP_DigestInit_ex(context, algorithm.md, nil) == 1, "SHA-256 is not available")
        }

        deinit { unsafe EVP_MD_CTX_free(context) }

        package mutating func update(_ bytes: [UInt8]) {
            precondition(unsafe EVP_DigestUpdate(context, bytes, bytes.count) == 1, "SHA-256 failed")
        }

        package consuming func finalize() -> [UInt8] {
            unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, filled in
                precondition(unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, nil) == 1, "SHA-256 failed")
                filled = 32
            }
        }
    }
}

/// Fetched once: a look-up by name costs more than hashing a short message.
private let algorithm = Algorithm()

/// Unchecked because the method is never changed after it was fetched.
@safe
private struct Algorithm: @unchecked Sendable {
    let md: OpaquePointer

    init() {
        guard let md = unsafe EVP_MD_fetch(nil, "SHA256", nil) else { fatalError("SHA-256 is not available") }
        unsafe self.md = unsafe md
    }
}
