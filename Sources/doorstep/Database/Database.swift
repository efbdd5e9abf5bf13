internal import Postgres
internal import PostgresStore
internal import Runtime

/// The database of a command: one connection, with errors that say what to do.
struct Database: Sendable {
    let url: String
    let loop: EventLoop

    /// Throws when no URL was given.
    init(_ configuration: Configuration, on loop: EventLoop) throws(Failure) {
        guard let url = configuration.database else {
            throw Failure(.usage, "no database: set DATABASE_URL, --database or `database` in doorstep.json")
        }
        self.url = url
        self.loop = loop
    }

    /// Opens a connection for the length of `body`.
    func connected<Value>(
        _ body: (PostgresConnection) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let connection: PostgresConnection
        do {
            connection = try await PostgresConnection.open(on: loop, StoreSession.durable(url))
        } catch {
            throw Failure(error)
        }
        let result: Result<Value, Failure>
        do throws(Failure) { result = .success(try await body(connection)) } catch { result = .failure(error) }
        await connection.close()
        return try result.get()
    }
}

extension Failure {
    init(_ error: PostgresError) {
        switch error.remedy {
        case .waitForDatabase, .outcomeUnknown, .rowBusy, .callAgain:
            self.init(
                .unreachable,
                "the database does not answer: \(error); is DATABASE_URL right and PostgreSQL running?"
            )
        case .splitBatch, .reportBug: self.init(.internalError, "database: \(error)")
        }
    }

    init(_ error: StoreError) {
        switch error.code {
        case .database:
            if let cause = error.cause { self.init(cause) } else { self.init(.internalError, "database: \(error)") }
        case .notMigrated: self.init(.unreachable, "\(error.detail); run `doorstep migrate`")
        case .lanesDiffer: self.init(.usage, "--lanes is fixed when a database is made: \(error.detail)")
        case .oldServer, .wrongEncoding, .wrongCollation, .newerSchema, .changedMigration, .hole:
            self.init(.unreachable, "the database is not usable: \(error)")
        }
    }
}
