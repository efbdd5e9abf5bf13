/// The stored form of a state cannot be read: written by a newer release, or damaged.
package struct StoredFormError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable {
        case truncated
        case unknownVersion
        case unknownValue
    }

    package let code: Code
    package init(_ code: Code) { self.code = code }
}

/// Reads what `ByteWriter` wrote.
struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func byte() throws(StoredFormError) -> UInt8 {
        guard position < bytes.count else { throw StoredFormError(.truncated) }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func flag() throws(StoredFormError) -> Bool { try byte() != 0 }

    mutating func int64() throws(StoredFormError) -> Int64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let next = try byte()
            guard shift < 64 else { throw StoredFormError(.unknownValue) }
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { break }
            shift += 7
        }
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    mutating func int() throws(StoredFormError) -> Int { Int(try int64()) }

    mutating func fixed() throws(StoredFormError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) { value |= UInt64(try byte()) << shift }
        return value
    }

    mutating func text() throws(StoredFormError) -> String { String(decoding: try counted(), as: UTF8.self) }

    /// Bytes behind their number.
    mutating func counted() throws(StoredFormError) -> ArraySlice<UInt8> {
        let count = try int()
        guard count >= 0, count <= bytes.count - position else { throw StoredFormError(.truncated) }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func instant() throws(StoredFormError) -> Instant { Instant(microseconds: try int64()) }
    mutating func duration() throws(StoredFormError) -> Duration { .microseconds(try int64()) }

    mutating func optional<Value>(
        _ read: (inout ByteReader) throws(StoredFormError) -> Value
    ) throws(StoredFormError) -> Value? {
        try flag() ? try read(&self) : nil
    }

    mutating func optionalText() throws(StoredFormError) -> String? {
        try optional { reader throws(StoredFormError) in try reader.text() }
    }

    mutating func optionalInstant() throws(StoredFormError) -> Instant? {
        try optional { reader throws(StoredFormError) in try reader.instant() }
    }

    mutating func each<Value>(
        _ read: (inout ByteReader) throws(StoredFormError) -> Value
    ) throws(StoredFormError) -> [Value] {
        let count = try int()
        guard count >= 0, count <= bytes.count else { throw StoredFormError(.truncated) }
        var values: [Value] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    /// A value of a closed set, by its stored number or word.
    mutating func value<Value: RawRepresentable>(
        _ type: Value.Type,
        _ raw: (inout ByteReader) throws(StoredFormError) -> Value.RawValue
    ) throws(StoredFormError) -> Value {
        guard let value = Value(rawValue: try raw(&self)) else { throw StoredFormError(.unknownValue) }
        return value
    }

    /// Checks the leading version byte of a stored form.
    mutating func version(_ known: UInt8) throws(StoredFormError) {
        guard try byte() == known else { throw StoredFormError(.unknownVersion) }
    }
}
