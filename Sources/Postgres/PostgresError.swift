/// What went wrong between us and PostgreSQL.
package struct PostgresError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// No connection could be had; nothing was sent.
        case unreachable
        /// The connection broke, or gave no answer in time, after the call was sent: it may have been committed.
        case lost
        /// The server refused; nothing of the transaction was kept. `sqlState` says why.
        case rejected
        /// Cancelled at its deadline; nothing of the transaction was kept.
        case timedOut
        /// The session was closed by us; nothing was sent.
        case closed
        /// A row did not have the shape that was asked for, or a call could not be encoded.
        case badValue
    }

    /// Bounded, so fit for a metric label.
    package let code: Code
    /// PostgreSQL's five characters, when the server spoke.
    package let sqlState: String?
    /// For the log: the server's primary message or ours, never a parameter.
    package let message: String
    /// The statement's name, or what was being done.
    package let operation: String

    package init(_ code: Code, _ operation: String, sqlState: String? = nil, message: String = "") {
        self.code = code
        self.operation = operation
        self.sqlState = sqlState
        self.message = message
    }

    package var description: String {
        let state = sqlState.map { " [\($0)]" } ?? ""
        return message.isEmpty ? "\(operation): \(code.rawValue)\(state)" : "\(operation): \(message)\(state)"
    }
}

extension PostgresError {
    /// What a caller does about a failure.
    package enum Remedy: Hashable, Sendable {
        /// Nothing was kept and the cause is gone: call again at once, a few times.
        case callAgain
        /// Somebody else holds the row longer than `lock_timeout`: leave it and come back.
        case rowBusy
        /// The database cannot be used now: wait, with back-off.
        case waitForDatabase
        /// Nobody knows whether it happened: look, or repeat only what may be repeated.
        case outcomeUnknown
        /// A value was refused: another batch without it may pass.
        case splitBatch
        /// The statement, the schema or the settings are wrong: repeating does not help.
        case reportBug
    }

    package var remedy: Remedy {
        switch code {
        case .unreachable: .waitForDatabase
        case .lost: .outcomeUnknown
        case .timedOut: .waitForDatabase
        case .closed: .waitForDatabase
        case .badValue: .reportBug
        case .rejected: Self.remedy(sqlState: sqlState ?? "")
        }
    }

    /// By SQLSTATE, never by the name of a constraint: partitions rename them. Classes: PostgreSQL manual, appendix A.
    private static func remedy(sqlState: String) -> Remedy {
        switch sqlState {
        case "23505", "40001", "40P01", "26000": .callAgain
        case "55P03": .rowBusy
        case "25006", "57014", "57P01", "57P02", "57P03", "57P04", "57P05": .waitForDatabase
        default:
            switch sqlState.prefix(2) {
            case "08", "53", "58": .waitForDatabase
            case "22", "23": .splitBatch
            case "40": .outcomeUnknown
            default: .reportBug
            }
        }
    }
}
