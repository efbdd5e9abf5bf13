/// The rows one call returned.
package struct PGRows: Sendable, RandomAccessCollection {
    private let result: ResultHandle
    private let operation: String

    init(_ result: ResultHandle, operation: String) {
        self.result = result
        self.operation = operation
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { result.rowCount }
    package subscript(row: Int) -> PGRow { PGRow(result, row: row, operation: operation) }

    /// How many rows an INSERT, UPDATE, DELETE or SELECT touched.
    package var affected: Int { result.affected }

    /// Reads every row with `body`, which takes the columns one after the other.
    package func decode<Value>(_ body: (inout PGRow) throws(PostgresError) -> Value) throws(PostgresError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        for index in indices {
            var row = self[index]
            values.append(try body(&row))
        }
        return values
    }

    /// Reads the first row; nil when there is none.
    package func decodeFirst<Value>(
        _ body: (inout PGRow) throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value? {
        guard var row = first else { return nil }
        return try body(&row)
    }

    /// Reads the first row, which must be there.
    package func decodeOne<Value>(_ body: (inout PGRow) throws(PostgresError) -> Value) throws(PostgresError) -> Value {
        guard let value = try decodeFirst(body) else {
            throw PostgresError(.badValue, operation, message: "no row")
        }
        return value
    }
}
