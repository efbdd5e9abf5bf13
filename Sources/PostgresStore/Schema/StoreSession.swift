package import Postgres

/// The settings of the sessions the store is used through.
package enum StoreSession {
    /// For appends: a lane that somebody holds must not hold its neighbours in the batch for long.
    package static func appending(_ url: String) -> PostgresSettings {
        settings(url, "doorstep append", ["lock_timeout": "200ms"])
    }

    /// For everything derived from the log: rows and checkpoint move together, so a crash may undo both.
    package static func projecting(_ url: String) -> PostgresSettings {
        settings(url, "doorstep project", ["synchronous_commit": "off"])
    }

    /// For claims that must be on disk before a byte leaves, leases, and whatever callers wait for.
    package static func durable(_ url: String) -> PostgresSettings {
        settings(url, "doorstep work", [:])
    }

    private static func settings(_ url: String, _ name: String, _ own: [String: String]) -> PostgresSettings {
        // A service does not run queries of minutes; compiling plans costs more than it saves for all the others.
        var options = [
            "search_path": "doorstep", "statement_timeout": "20s", "lock_timeout": "5s", "jit": "off",
            "idle_in_transaction_session_timeout": "10s",
        ]
        options.merge(own) { _, own in own }
        return PostgresSettings(url: url, options: options, applicationName: name)
    }
}
