/// 128 bits that name something: a UUID, or the front of a digest.
package struct UUID128: Hashable, Comparable, Sendable, CustomStringConvertible, Codable {
    /// The first eight bytes, big-endian.
    package let hi: UInt64
    /// The last eight bytes, big-endian.
    package let lo: UInt64

    package init(hi: UInt64, lo: UInt64) {
        self.hi = hi
        self.lo = lo
    }

    /// The first 16 of at least 16 bytes; nil when there are fewer.
    package init?(bytes: [UInt8]) {
        guard bytes.count >= 16 else { return nil }
        self.init(hi: bigEndian(bytes, from: 0), lo: bigEndian(bytes, from: 8))
    }

    /// The first 128 bits of the message's SHA-256.
    package init(sha256Prefix message: [UInt8]) {
        let digest = SHA256.digest(message)
        self.init(hi: bigEndian(digest, from: 0), lo: bigEndian(digest, from: 8))
    }

    /// Reads 8-4-4-4-12 hexadecimal digits of either case; anything else is nil.
    package init?(_ text: some StringProtocol) {
        var words: (UInt64, UInt64) = (0, 0)
        var digits = 0
        var position = 0
        for byte in text.utf8 {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard digits < 32, let value = Hex.value(of: byte) else { return nil }
                if digits < 16 {
                    words.0 = words.0 << 4 | UInt64(value)
                } else {
                    words.1 = words.1 << 4 | UInt64(value)
                }
                digits += 1
            }
            position += 1
        }
        guard position == 36 else { return nil }
        self.init(hi: words.0, lo: words.1)
    }

    /// A random UUID (RFC 9562, version 4).
    package static func random() -> UUID128 {
        var generator = SecureGenerator()
        return random(using: &generator)
    }

    /// A version 4 UUID from a generator that is passed in.
    package static func random(using generator: inout some RandomNumberGenerator) -> UUID128 {
        UUID128(
            hi: generator.next() & ~0xF000 | 0x4000,
            lo: generator.next() & ~(0xC0 << 56) | 0x80 << 56
        )
    }

    /// A UUID that sorts by time (RFC 9562, version 7).
    package static func version7(
        milliseconds: Int64,
        using generator: inout some RandomNumberGenerator
    ) -> UUID128 {
        UUID128(
            hi: UInt64(bitPattern: milliseconds) << 16 | 0x7000 | generator.next() & 0x0FFF,
            lo: generator.next() & ~(0xC0 << 56) | 0x80 << 56
        )
    }

    /// All 16 bytes, big-endian.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        for word in [hi, lo] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return bytes
    }

    /// Canonical form: 32 lower-case digits, 8-4-4-4-12.
    package var description: String {
        unsafe String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for digit in 0..<32 {
                if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                    unsafe buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                let word = digit < 16 ? hi : lo
                unsafe buffer[position] = Hex.digit(UInt8(truncatingIfNeeded: word >> UInt64(60 - digit % 16 * 4) & 15))
                position += 1
            }
            return position
        }
    }

    package static func < (a: UUID128, b: UUID128) -> Bool { (a.hi, a.lo) < (b.hi, b.lo) }
}

private func bigEndian(_ bytes: [UInt8], from start: Int) -> UInt64 {
    bytes[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) }
}
