private import COpenSSL

/// Randomness nobody can guess, from OpenSSL's generator.
package enum SecureRandom {
    /// `count` random bytes. A generator that fails has no safe substitute, so the process ends.
    package static func bytes(_ count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            precondition(unsafe RAND_bytes(buffer.baseAddress, Int32(count)) == 1, "no randomness")
            filled = count
        }
    }
}

/// A generator for the standard library's random methods that draws from `SecureRandom`.
package struct SecureGenerator: RandomNumberGenerator, Sendable {
    package init() {}

    package mutating func next() -> UInt64 {
        var value: UInt64 = 0
        unsafe withUnsafeMutableBytes(of: &value) { bytes in
            precondition(
                unsafe RAND_bytes(bytes.assumingMemoryBound(to: UInt8.self).baseAddress, 8) == 1,
                "no randomness"
            )
        }
        return value
    }
}
