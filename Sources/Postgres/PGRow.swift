package import Crypto

/// One row, read column by column from the left: each reading method takes the next column.
///
/// Every method throws `badValue` when the column has another type than asked for, is null where it may not be, or does
/// not exist. Times are microseconds since 1970 (UTC).
package struct PGRow: Sendable {
    private let result: ResultHandle
    private let row: Int
    private let operation: String
    private var column = 0

    init(_ result: ResultHandle, row: Int, operation: String) {
        self.result = result
        self.row = row
        self.operation = operation
    }

    package mutating func bool() throws(PostgresError) -> Bool { try required(boolOrNull()) }
    package mutating func char() throws(PostgresError) -> UInt8 { try required(charOrNull()) }
    package mutating func int4() throws(PostgresError) -> Int32 { try required(int4OrNull()) }
    package mutating func int8() throws(PostgresError) -> Int64 { try required(int8OrNull()) }
    package mutating func text() throws(PostgresError) -> String { try required(textOrNull()) }
    package mutating func bytea() throws(PostgresError) -> [UInt8] { try required(byteaOrNull()) }
    package mutating func uuid() throws(PostgresError) -> UUID128 { try required(uuidOrNull()) }
    package mutating func timestamptz() throws(PostgresError) -> Int64 { try required(timestamptzOrNull()) }

    package mutating func boolOrNull() throws(PostgresError) -> Bool? {
        try next(TypeOID.bool) { $0.byte().map { $0 != 0 } }
    }

    package mutating func charOrNull() throws(PostgresError) -> UInt8? { try next(TypeOID.char) { $0.byte() } }
    package mutating func int4OrNull() throws(PostgresError) -> Int32? { try next(TypeOID.int4) { $0.integer() } }
    package mutating func int8OrNull() throws(PostgresError) -> Int64? { try next(TypeOID.int8) { $0.integer() } }
    package mutating func textOrNull() throws(PostgresError) -> String? { try next(TypeOID.text) { $0.text() } }
    package mutating func byteaOrNull() throws(PostgresError) -> [UInt8]? { try next(TypeOID.bytea) { $0.rest() } }
    package mutating func uuidOrNull() throws(PostgresError) -> UUID128? { try next(TypeOID.uuid) { $0.uuid() } }

    /// Infinity is `Int64.max`, minus infinity `Int64.min`.
    package mutating func timestamptzOrNull() throws(PostgresError) -> Int64? {
        guard let time = try next(TypeOID.timestamptz, { $0.integer() as Int64? }) else { return nil }
        return time == .max || time == .min ? time : time &+ microsecondsFrom1970To2000
    }

    /// A one-dimensional array without nulls.
    package mutating func int4Array() throws(PostgresError) -> [Int32] {
        try required(next(TypeOID.int4Array) { $0.array { $0.integer() } })
    }

    package mutating func int8Array() throws(PostgresError) -> [Int64] {
        try required(next(TypeOID.int8Array) { $0.array { $0.integer() } })
    }

    package mutating func textArray() throws(PostgresError) -> [String] {
        try required(next(TypeOID.textArray) { $0.array { $0.text() } })
    }

    /// Passes over a column.
    package mutating func skip() { column += 1 }

    private mutating func next<Value>(
        _ type: UInt32,
        _ body: (inout BinaryReader) -> Value?
    ) throws(PostgresError) -> Value? {
        guard column < result.columnCount, result.typeOID(column: column) == type else {
            throw mismatch("has another type")
        }
        let read = unsafe result.withCell(row: row, column: column) { cell -> (isNull: Bool, value: Value?) in
            guard let cell = unsafe cell else { return (true, nil) }
            var reader = unsafe BinaryReader(cell)
            guard let value = body(&reader), reader.isAtEnd else { return (false, nil) }
            return (false, value)
        }
        guard read.isNull || read.value != nil else { throw mismatch("cannot be read") }
        column += 1
        return read.value
    }

    private func required<Value>(_ value: Value?) throws(PostgresError) -> Value {
        guard let value else {
            throw PostgresError(.badValue, operation, message: "column \(column) is null")
        }
        return value
    }

    private func mismatch(_ what: String) -> PostgresError {
        PostgresError(.badValue, operation, message: "column \(column + 1) \(what)")
    }
}
