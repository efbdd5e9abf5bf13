private import Glibc

/// A numeric address: 16 bytes, an IPv4 one as IPv6 maps it (RFC 4291 section 2.5.5.2).
package struct IPAddress: Hashable, Sendable {
    let bytes: [UInt8]

    /// nil for what is no numeric address. Brackets and zones of IPv6 are taken off.
    package init?(_ text: String) {
        var text = Substring(text)
        if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
        let numeric = String(text.prefix { $0 != "%" })
        var bytes = [UInt8](repeating: 0, count: 16)
        if numeric.contains(":") {
            guard unsafe inet_pton(AF_INET6, numeric, &bytes) == 1 else { return nil }
        } else {
            var four = [UInt8](repeating: 0, count: 4)
            guard unsafe inet_pton(AF_INET, numeric, &four) == 1 else { return nil }
            bytes = mappedPrefix + four
        }
        self.bytes = bytes
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    package var isIPv4: Bool { bytes.starts(with: mappedPrefix) }

    /// Of this machine itself.
    package var isLoopback: Bool { isIPv4 ? bytes[12] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1] }

    /// What one subscriber has: the address or, of IPv6, its first 64 bits (RFC 6177).
    package var subscriber: IPAddress {
        isIPv4 ? self : IPAddress(bytes: bytes.prefix(8) + [UInt8](repeating: 0, count: 8))
    }
}

/// Addresses that begin with the same bits: `10.0.0.0/8`, `fd00::/8`, or a single address.
package struct IPRange: Hashable, Sendable {
    /// As it was written.
    package let text: String
    private let base: IPAddress
    private let bits: Int

    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let base = IPAddress(String(parts[0])) else { return nil }
        self.base = base
        self.text = text
        let most = base.isIPv4 ? 32 : 128
        guard parts.count == 2 else {
            bits = 128
            return
        }
        guard let length = Int(parts[1]), (0...most).contains(length), !parts[1].hasPrefix("+") else { return nil }
        bits = 128 - most + length
    }

    package func contains(_ address: IPAddress) -> Bool {
        let whole = bits / 8
        guard address.bytes.prefix(whole) == base.bytes.prefix(whole) else { return false }
        return bits % 8 == 0 || (address.bytes[whole] ^ base.bytes[whole]) >> (8 - UInt8(bits % 8)) == 0
    }
}

private let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
