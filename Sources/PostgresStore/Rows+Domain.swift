internal import Postgres
internal import Tracking

/// Columns that hold the domain's ids and one-letter words.
extension PGRow {
    mutating func order() throws(PostgresError) -> OrderID { OrderID(try text()) }
    mutating func device() throws(PostgresError) -> DeviceID { DeviceID(try text()) }
    mutating func customer() throws(PostgresError) -> CustomerID { CustomerID(try text()) }
    mutating func customerOrNull() throws(PostgresError) -> CustomerID? { try textOrNull().map { CustomerID($0) } }
    mutating func orderOrNull() throws(PostgresError) -> OrderID? { try textOrNull().map { OrderID($0) } }
    mutating func kind() throws(PostgresError) -> StreamKind { try letter(StreamKind.init, "kind") }
    mutating func verb() throws(PostgresError) -> Verb { try letter(Verb.init, "verb") }
    mutating func target() throws(PostgresError) -> SlotTarget { try letter(SlotTarget.init, "target") }

    mutating func tokenKind() throws(PostgresError) -> TokenKind { try letter(TokenKind.init(letter:), "kind") }
    mutating func environment() throws(PostgresError) -> APNsEnvironment {
        try letter(APNsEnvironment.init(letter:), "environment")
    }

    private mutating func letter<Value>(
        _ read: (UInt8) -> Value?,
        _ column: String
    ) throws(PostgresError) -> Value {
        guard let value = read(try char()) else {
            throw PostgresError(.badValue, column, message: "a letter without a meaning")
        }
        return value
    }
}

/// Keys as the arrays that `unnest` takes.
extension [CardKey] {
    var columns: [PGValue] {
        [
            .int4Array(map(\.app)), .textArray(map(\.order.value)), .textArray(map(\.device.value)),
            .int4Array(map { Int32($0.incarnation) }),
        ]
    }
}

extension [SlotKey] {
    var columns: [PGValue] { map(\.card).columns + [.charArray(map(\.target.rawValue))] }
}

extension [OrderKey] {
    var columns: [PGValue] { [.int4Array(map(\.app)), .textArray(map(\.order.value))] }
}

extension [DeviceKey] {
    var columns: [PGValue] { [.int4Array(map(\.app)), .textArray(map(\.device.value))] }
}
