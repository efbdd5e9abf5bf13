internal import Crypto

/// Reads PostgreSQL's binary format from borrowed bytes; nil means that they are too few.
@safe
struct BinaryReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var end: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = unsafe bytes
        end = bytes.count
    }

    var isAtEnd: Bool { position == end }

    mutating func byte() -> UInt8? {
        guard position < end else { return nil }
        position += 1
        return unsafe bytes[position - 1]
    }

    mutating func integer<Value: FixedWidthInteger>() -> Value? {
        let size = MemoryLayout<Value>.size
        guard end - position >= size else { return nil }
        position += size
        return unsafe Value(bigEndian: bytes.loadUnaligned(fromByteOffset: position - size, as: Value.self))
    }

    mutating func uuid() -> UUID128? {
        guard let hi: UInt64 = integer(), let lo: UInt64 = integer() else { return nil }
        return UUID128(hi: hi, lo: lo)
    }

    mutating func rest() -> [UInt8] {
        defer { position = end }
        return unsafe Array(bytes[position..<end])
    }

    /// Every session speaks UTF-8 (`client_encoding`).
    mutating func text() -> String {
        defer { position = end }
        return unsafe String(decoding: bytes[position..<end], as: UTF8.self)
    }

    /// An array of at most one dimension whose elements are not null.
    mutating func array<Element>(_ body: (inout BinaryReader) -> Element?) -> [Element]? {
        guard let dimensions: Int32 = integer(), integer() as Int32? != nil, integer() as Int32? != nil else {
            return nil
        }
        if dimensions == 0 { return [] }
        guard dimensions == 1, let count: Int32 = integer(), integer() as Int32? != nil else { return nil }
        let whole = end
        defer { end = whole }
        var elements: [Element] = []
        for _ in 0..<count {
            guard let length: Int32 = integer(), length >= 0, whole - position >= length else { return nil }
            end = position + Int(length)
            guard let element = body(&self), isAtEnd else { return nil }
            elements.append(element)
            end = whole
        }
        return elements
    }
}
