extension JSONScanner {
    /// The string whose opening quote is at the cursor.
    mutating func string(in bytes: Span<UInt8>) throws(JSONError) -> String {
        position += 1
        let start = position
        try skipPlain(in: bytes)
        if bytes[position] == UInt8(ascii: "\"") {
            let text = try text(bytes.extracting(start..<position), at: start)
            position += 1
            return text
        }
        return try escapedString(in: bytes, from: start)
    }

    /// Moves to the next quote or backslash.
    private mutating func skipPlain(in bytes: Span<UInt8>) throws(JSONError) {
        var index = position
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            if byte < 0x20 {
                position = index
                throw failure(.controlCharacter)
            }
            index += 1
        }
        position = index
        guard index < bytes.count else { throw failure(.unexpectedEnd) }
    }

    /// The rest of a string that has escapes; the cursor is on the first backslash.
    private mutating func escapedString(in bytes: Span<UInt8>, from start: Int) throws(JSONError) -> String {
        var content: [UInt8] = []
        var copied = start
        while bytes[position] == UInt8(ascii: "\\") {
            append(bytes.extracting(copied..<position), to: &content)
            try escape(in: bytes, to: &content)
            copied = position
            try skipPlain(in: bytes)
        }
        append(bytes.extracting(copied..<position), to: &content)
        position += 1
        return try text(content.span, at: start)
    }

    private func append(_ run: Span<UInt8>, to content: inout [UInt8]) {
        for index in run.indices { content.append(run[index]) }
    }

    private mutating func escape(in bytes: Span<UInt8>, to content: inout [UInt8]) throws(JSONError) {
        guard position + 1 < bytes.count else { throw failure(.unexpectedEnd) }
        switch bytes[position + 1] {
        case UInt8(ascii: "\""): content.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): content.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): content.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            try unicodeEscape(in: bytes, to: &content)
            return
        default: throw failure(.malformedEscape)
        }
        position += 2
    }

    /// `\u` and four hexadecimal digits, or two of these for a character beyond U+FFFF.
    private mutating func unicodeEscape(in bytes: Span<UInt8>, to content: inout [UInt8]) throws(JSONError) {
        let start = position
        var code = try codeUnit(in: bytes)
        if UTF16.isLeadSurrogate(code.unit) {
            guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
                bytes[position + 1] == UInt8(ascii: "u")
            else { throw JSONError(code: .loneSurrogate, offset: start) }
            let trail = try codeUnit(in: bytes)
            guard UTF16.isTrailSurrogate(trail.unit) else { throw JSONError(code: .loneSurrogate, offset: start) }
            code.value = 0x10000 + ((code.value - 0xD800) << 10) + (trail.value - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code.value) else { throw JSONError(code: .loneSurrogate, offset: start) }
        guard code.value != 0 || nul == .allowed else { throw JSONError(code: .nul, offset: start) }
        content.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// The four digits of the `\u` at the cursor.
    private mutating func codeUnit(in bytes: Span<UInt8>) throws(JSONError) -> (value: UInt32, unit: UInt16) {
        guard position + 6 <= bytes.count else { throw failure(.unexpectedEnd) }
        var value: UInt16 = 0
        for index in position + 2..<position + 6 {
            guard let digit = Self.hexDigit(bytes[index]) else { throw failure(.malformedEscape) }
            value = value << 4 | digit
        }
        position += 6
        return (UInt32(value), value)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private func text(_ content: Span<UInt8>, at start: Int) throws(JSONError) -> String {
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: content))
        } catch {
            throw JSONError(code: .invalidUTF8, offset: start)
        }
    }
}
