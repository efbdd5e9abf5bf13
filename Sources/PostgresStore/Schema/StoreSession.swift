package import Postgres

/// The settings of the sessions the store is used through.
///
/// Every statement here is meant to find its rows by an index. The planner thinks otherwise of a table that is empty when
/// it first looks, and keeps that plan while the table fills: so scans of tables, and the joins that need them, are off.
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

    /// For `migrate`, which may take its time and waits for another one.
    package static func migrating(_ url: String) -> PostgresSettings {
        PostgresSettings(url: url, options: ["search_path": "doorstep"], applicationName: "doorstep migrate")
    }

    /// For making and dropping ranges: every append waits behind a DDL statement that waits for a lock.
    package static func maintaining(_ url: String) -> PostgresSettings {
        let options = ["search_path": "doorstep", "lock_timeout": "1s"]
        return PostgresSettings(url: url, options: options, applicationName: "doorstep maintain")
    }

    /// Lets sessions plan each statement once instead of for every call: partitioned tables cost more to plan than to
    /// read here. Not on Citus, where a plan without its values asks every shard.
    package static func planningOnce(_ settings: PostgresSettings) -> PostgresSettings {
        var settings = settings
        settings.options["plan_cache_mode"] = "force_generic_plan"
        return settings
    }

    private static func settings(_ url: String, _ name: String, _ own: [String: String]) -> PostgresSettings {
        var options = [
            "search_path": "doorstep",
            "enable_seqscan": "off",
            "enable_hashjoin": "off",
            "enable_mergejoin": "off",
            // A list of arguments joined with a table must look up each item, not keep the table aside and compare.
            "enable_material": "off",
            "statement_timeout": "20s",
            "lock_timeout": "5s",
            "idle_in_transaction_session_timeout": "10s",
            // Compiling a plan costs more than it saves here.
            "jit": "off",
        ]
        options.merge(own) { _, own in own }
        return PostgresSettings(url: url, options: options, applicationName: name)
    }
}
