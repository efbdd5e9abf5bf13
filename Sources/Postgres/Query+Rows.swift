/// A value that is read from a row, column by column.
package protocol RowDecodable: Sendable {
    init(from row: inout PGRow) throws(PostgresError)
}

extension Query {
    /// A query that answers with all its rows.
    package static func list<Row: RowDecodable>(_ statement: Statement, _ parameters: [PGValue] = []) -> Query
    where Output == [Row] {
        Query(statement, parameters) { (rows) throws(PostgresError) in try rows.decode(Row.init(from:)) }
    }

    /// A query that answers with its first row, or nil.
    package static func first<Row: RowDecodable>(_ statement: Statement, _ parameters: [PGValue] = []) -> Query
    where Output == Row? {
        Query(statement, parameters) { (rows) throws(PostgresError) in try rows.decodeFirst(Row.init(from:)) }
    }

    /// A query that answers with its only row.
    package static func one(_ statement: Statement, _ parameters: [PGValue] = []) -> Query
    where Output: RowDecodable {
        Query(statement, parameters) { (rows) throws(PostgresError) in try rows.decodeOne(Output.init(from:)) }
    }

    /// A query that answers with one value, read by `read`.
    package static func value(
        _ statement: Statement,
        _ parameters: [PGValue] = [],
        _ read: @escaping @Sendable (inout PGRow) throws(PostgresError) -> Output
    ) -> Query {
        Query(statement, parameters) { (rows) throws(PostgresError) in try rows.decodeOne(read) }
    }
}
