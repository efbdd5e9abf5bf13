/// Base 64 with padding (RFC 4648, section 4). Decoding is strict: no line ends, no missing or stray padding.
package enum Base64 {
    package static func encode(_ bytes: [UInt8]) -> String { Alphabet.standard.encode(bytes, padded: true) }

    /// Nil when the text is not exactly what `encode` would have written.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 4) else { return nil }
        let padding = characters.suffix(2).count { $0 == UInt8(ascii: "=") }
        return Alphabet.standard.decode(characters.dropLast(padding))
    }
}

/// Base 64 for URLs and JWS, without padding (RFC 4648, section 5; RFC 7515, section 2).
package enum Base64URL {
    package static func encode(_ bytes: [UInt8]) -> String { Alphabet.urlSafe.encode(bytes, padded: false) }

    /// Nil when the text is not exactly what `encode` would have written.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        Alphabet.urlSafe.decode(Array(text.utf8)[...])
    }
}

private struct Alphabet {
    static let standard = Alphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    static let urlSafe = Alphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    private let characters: [UInt8]
    private let values: [UInt8?]

    private init(_ text: String) {
        characters = Array(text.utf8)
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
        self.values = values
    }

    func encode(_ bytes: [UInt8], padded: Bool) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let taken = min(3, bytes.count - index)
            var group = UInt32(bytes[index]) << 16
            if taken > 1 { group |= UInt32(bytes[index + 1]) << 8 }
            if taken > 2 { group |= UInt32(bytes[index + 2]) }
            for place in 0..<4 where place <= taken {
                text.append(characters[Int(group >> UInt32(18 - 6 * place) & 63)])
            }
            if padded {
                for _ in taken..<3 { text.append(UInt8(ascii: "=")) }
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var group: UInt32 = 0
        var bits = 0
        for character in text {
            guard let value = values[Int(character)] else { return nil }
            group = group << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
                group &= (1 << UInt32(bits)) - 1
            }
        }
        // Bits that belong to no byte must be zero, or two texts would mean the same bytes.
        return group == 0 ? bytes : nil
    }
}
