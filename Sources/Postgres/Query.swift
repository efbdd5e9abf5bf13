/// A statement with a name, prepared on each connection the first time it is used there.
///
/// The name stands for the text: two statements with one name and different texts are a mistake.
package struct Statement: Hashable, Sendable {
    package let name: String
    package let sql: String

    package init(_ name: String, _ sql: String) {
        self.name = name
        self.sql = sql
    }
}

/// A statement with its parameters.
package struct Call: Sendable {
    package let statement: Statement
    package let parameters: [PGValue]

    package init(_ statement: Statement, _ parameters: [PGValue] = []) {
        self.statement = statement
        self.parameters = parameters
    }
}

/// A call and how its rows are read: what a named SQL function returns before anybody has run it, so that several can
/// share a round trip and a transaction.
package struct Query<Output: Sendable>: Sendable {
    package let call: Call
    package let decode: @Sendable (PGRows) throws(PostgresError) -> Output

    package init(
        _ statement: Statement,
        _ parameters: [PGValue] = [],
        decode: @escaping @Sendable (PGRows) throws(PostgresError) -> Output
    ) {
        call = Call(statement, parameters)
        self.decode = decode
    }
}

extension Query where Output == Void {
    /// A query whose rows nobody wants.
    package init(_ statement: Statement, _ parameters: [PGValue] = []) {
        self.init(statement, parameters) { _ in }
    }
}

extension Query where Output == Int {
    /// A query that answers with the number of rows it wrote.
    package static func counting(_ statement: Statement, _ parameters: [PGValue] = []) -> Query {
        Query(statement, parameters) { $0.affected }
    }
}

/// Something that runs calls: one connection or a pool of them.
package protocol PostgresSession: Sendable {
    /// Runs the calls in order in one transaction and returns their rows once it is committed.
    ///
    /// Everything up to the end of the list is PostgreSQL's implicit transaction of a pipeline: if one call fails, none
    /// of them happened. A call that touches no row does not fail.
    ///
    /// The statement is cancelled after `limit`, counted from now; the session's default when nil.
    func perform(_ calls: [Call], within limit: Duration?) async throws(PostgresError) -> [PGRows]
}

extension PostgresSession {
    /// One call, one transaction.
    package func run(_ statement: Statement, _ parameters: [PGValue] = []) async throws(PostgresError) -> PGRows {
        try await perform([Call(statement, parameters)], within: nil)[0]
    }

    package func run<Output>(_ query: Query<Output>) async throws(PostgresError) -> Output {
        try query.decode(try await perform([query.call], within: nil)[0])
    }

    /// Two queries in one round trip and one transaction; likewise below for three and four.
    package func run<A, B>(_ a: Query<A>, _ b: Query<B>) async throws(PostgresError) -> (A, B) {
        let rows = try await perform([a.call, b.call], within: nil)
        return (try a.decode(rows[0]), try b.decode(rows[1]))
    }

    package func run<A, B, C>(_ a: Query<A>, _ b: Query<B>, _ c: Query<C>) async throws(PostgresError) -> (A, B, C) {
        let rows = try await perform([a.call, b.call, c.call], within: nil)
        return (try a.decode(rows[0]), try b.decode(rows[1]), try c.decode(rows[2]))
    }

    package func run<A, B, C, D>(
        _ a: Query<A>,
        _ b: Query<B>,
        _ c: Query<C>,
        _ d: Query<D>
    )
        async throws(PostgresError) -> (A, B, C, D)
    {
        let rows = try await perform([a.call, b.call, c.call, d.call], within: nil)
        return (try a.decode(rows[0]), try b.decode(rows[1]), try c.decode(rows[2]), try d.decode(rows[3]))
    }

    /// Any number of like queries in one round trip and one transaction; none at all costs nothing.
    package func runAll<Output>(
        _ queries: [Query<Output>],
        within limit: Duration? = nil
    )
        async throws(PostgresError) -> [Output]
    {
        if queries.isEmpty { return [] }
        let rows = try await perform(queries.map(\.call), within: limit)
        var outputs: [Output] = []
        outputs.reserveCapacity(queries.count)
        for (query, rows) in zip(queries, rows) { outputs.append(try query.decode(rows)) }
        return outputs
    }
}
