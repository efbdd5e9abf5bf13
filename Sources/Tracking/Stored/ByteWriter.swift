/// Writes the stored form of states: small, explicit, independent of the names in the code.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(256) }

    mutating func put(byte: UInt8) { bytes.append(byte) }
    mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    /// Variable length, seven bits a byte, sign in the lowest bit: small numbers stay small.
    mutating func put(_ number: Int64) {
        var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func put(_ number: Int) { put(Int64(number)) }

    mutating func put(fixed number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    mutating func put(_ text: String) { put(counted: Array(text.utf8)) }

    mutating func put(counted part: [UInt8]) {
        put(part.count)
        bytes.append(contentsOf: part)
    }

    mutating func put(_ moment: Instant) { put(moment.microseconds) }
    mutating func put(_ span: Duration) { put(span.microseconds) }

    mutating func put<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
        put(value != nil)
        if let value { write(&self, value) }
    }

    mutating func put(_ text: String?) { put(text) { $0.put($1) } }
    mutating func put(_ moment: Instant?) { put(moment) { $0.put($1) } }

    mutating func put<Value>(each values: some Collection<Value>, _ write: (inout ByteWriter, Value) -> Void) {
        put(values.count)
        for value in values { write(&self, value) }
    }
}
