private import Crypto

/// The parameters of one call in PostgreSQL's binary format, one after the other in one buffer.
struct ParameterBuffer {
    /// Begins with a byte that belongs to none, so that also an empty text has an address: none would mean null.
    private(set) var bytes: [UInt8] = [0]
    /// Where each parameter begins and how long it is; a null has no place.
    private(set) var places: [(start: Int, count: Int)?] = []

    init(_ values: [PGValue]) {
        places.reserveCapacity(values.count)
        for value in values { append(value) }
    }

    private mutating func append(_ value: PGValue) {
        let start = bytes.count
        switch value {
        case .null:
            places.append(nil)
            return
        case .bool(let value): put(value)
        case .int4(let value): put(value)
        case .int8(let value): put(value)
        case .text(let value): put(value)
        case .bytea(let value): put(value)
        case .uuid(let value): put(value)
        case .timestamptz(let value): put(time: value)
        case .char(let value): put(value)
        case .boolArray(let values): array(values, of: TypeOID.bool) { $0.put($1) }
        case .int4Array(let values): array(values, of: TypeOID.int4) { $0.put($1) }
        case .int8Array(let values): array(values, of: TypeOID.int8) { $0.put($1) }
        case .textArray(let values): array(values, of: TypeOID.text) { $0.put($1) }
        case .byteaArray(let values): array(values, of: TypeOID.bytea) { $0.put($1) }
        case .uuidArray(let values): array(values, of: TypeOID.uuid) { $0.put($1) }
        case .timestamptzArray(let values): array(values, of: TypeOID.timestamptz) { $0.put(time: $1) }
        case .charArray(let values): array(values, of: TypeOID.char) { $0.put($1) }
        }
        places.append((start, bytes.count - start))
    }

    /// Dimensions, a flag for nulls, the element type, then per dimension length and lower bound, then the elements,
    /// each with its length (`array_recv`). An empty array has no dimension.
    private mutating func array<Element>(
        _ values: [Element?],
        of element: UInt32,
        _ body: (inout ParameterBuffer, Element) -> Void
    ) {
        put(Int32(values.isEmpty ? 0 : 1))
        put(Int32(values.contains { $0 == nil } ? 1 : 0))
        put(Int32(bitPattern: element))
        if values.isEmpty { return }
        put(Int32(values.count))
        put(Int32(1))
        for value in values {
            guard let value else {
                put(Int32(-1))
                continue
            }
            let lengthAt = bytes.count
            put(Int32(0))
            body(&self, value)
            overwrite(at: lengthAt, with: Int32(bytes.count - lengthAt - 4))
        }
    }

    private mutating func put(_ value: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }
    private mutating func put(_ value: String) { bytes.append(contentsOf: value.utf8) }
    private mutating func put(_ value: [UInt8]) { bytes.append(contentsOf: value) }
    /// The ends of the range are infinity and stay as they are.
    private mutating func put(time value: Int64) {
        put(value == .max || value == .min ? value : value &- microsecondsFrom1970To2000)
    }

    private mutating func put(_ value: UUID128) {
        put(value.hi)
        put(value.lo)
    }

    private mutating func overwrite(at place: Int, with value: Int32) {
        for offset in 0..<4 {
            bytes[place + offset] = UInt8(truncatingIfNeeded: value >> Int32(24 - 8 * offset))
        }
    }
}
