package import Postgres

/// What can be wrong with the database itself, beyond a failed call.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// A call failed; `cause` says how.
        case database
        /// The server is older than PostgreSQL 15.
        case oldServer
        /// The database is not UTF-8.
        case wrongEncoding
        /// The database does not sort by bytes (LC_COLLATE C).
        case wrongCollation
        /// Migrations are missing: run `doorstep migrate`.
        case notMigrated
        /// The database was migrated by a newer program.
        case newerSchema
        /// A migration that was applied had another text.
        case changedMigration
        /// The number of lanes is fixed when the database is made.
        case lanesDiffer
        /// A lane has a hole, or a fact twice: positions must follow each other.
        case hole
    }

    package let code: Code
    /// For the log; never a value out of a row.
    package let detail: String
    package let cause: PostgresError?

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
        cause = nil
    }

    package init(_ cause: PostgresError) {
        code = .database
        detail = ""
        self.cause = cause
    }

    package var description: String { cause?.description ?? "\(code.rawValue): \(detail)" }
}

extension PostgresError {
    /// The lane's checkpoint is at another position or in another term: somebody else works the lane (`advance`).
    package var isLaneLost: Bool { sqlState == "DS001" }
}
