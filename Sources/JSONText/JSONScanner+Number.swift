extension JSONScanner {
    /// Longer spellings of a number serve nobody and cost time to judge.
    private static let longestNumber = 1_024
    /// Spellings this short without an exponent cannot leave the range of a float.
    private static let surelyInRange = 300

    /// The number at the cursor, as written: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
    mutating func number(in bytes: Span<UInt8>) throws(JSONError) -> String {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        if current(in: bytes) == UInt8(ascii: "0") {
            position += 1
        } else {
            try digits(in: bytes)
        }
        if current(in: bytes) == UInt8(ascii: ".") {
            position += 1
            try digits(in: bytes)
        }
        let mantissaEnd = position
        if let byte = current(in: bytes), byte | 0x20 == UInt8(ascii: "e") {
            position += 1
            if let sign = current(in: bytes), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            try digits(in: bytes)
        }
        if let byte = current(in: bytes), Self.continuesNumber(byte) { throw failure(.malformedNumber) }

        let spelling = start..<position
        guard spelling.count <= Self.longestNumber else {
            throw JSONError(code: .numberOutOfRange, offset: start)
        }
        let text = String(unsafeUninitializedCapacity: spelling.count) { buffer in
            for (target, source) in zip(buffer.indices, spelling) { buffer[target] = bytes[source] }
            return spelling.count
        }
        let hasExponent = mantissaEnd < position
        guard !hasExponent && spelling.count <= Self.surelyInRange || Self.isInRange(text) else {
            throw JSONError(code: .numberOutOfRange, offset: start)
        }
        return text
    }

    private func current(in bytes: Span<UInt8>) -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    /// One digit or more.
    private mutating func digits(in bytes: Span<UInt8>) throws(JSONError) {
        let start = position
        while let byte = current(in: bytes), Self.isDigit(byte) { position += 1 }
        guard position > start else { throw failure(position < bytes.count ? .malformedNumber : .unexpectedEnd) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Bytes that would glue to the number: `01`, `1.2.3`, `1e5e`, `1-2`.
    private static func continuesNumber(_ byte: UInt8) -> Bool {
        isDigit(byte) || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+")].contains(byte)
            || byte | 0x20 == UInt8(ascii: "e")
    }

    /// Neither infinite nor, unless every digit is zero, rounded to nothing.
    private static func isInRange(_ text: String) -> Bool {
        guard let value = Double(text), value.isFinite else { return false }
        let mantissa = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        return value != 0 || !mantissa.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
    }
}
