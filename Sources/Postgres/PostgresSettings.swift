/// How a session is opened and how long it may take over things.
package struct PostgresSettings: Sendable {
    /// `postgresql://user@host:port/database?…`, or libpq's `key=value` form.
    package var url: String
    /// Server settings of each session, such as `synchronous_commit` or `search_path`.
    package var options: [String: String]
    /// Shown in `pg_stat_activity`.
    package var applicationName: String
    package var connectTimeout: Duration
    /// The deadline of a call that names none.
    package var callTimeout: Duration
    /// How long a cancelled call may still take to say so before its connection is given up.
    package var cancelGrace: Duration

    package init(
        url: String,
        options: [String: String] = [:],
        applicationName: String = "doorstep",
        connectTimeout: Duration = .seconds(5),
        callTimeout: Duration = .seconds(30),
        cancelGrace: Duration = .seconds(2)
    ) {
        self.url = url
        self.options = options
        self.applicationName = applicationName
        self.connectTimeout = connectTimeout
        self.callTimeout = callTimeout
        self.cancelGrace = cancelGrace
    }

    /// libpq's connection parameters; those after `dbname` override what the URL says.
    func parameters(addresses: String?) -> [(name: String, value: String)] {
        var parameters = [("dbname", url), ("client_encoding", "UTF8"), ("application_name", applicationName)]
        if !options.isEmpty { parameters.append(("options", serverOptions)) }
        if let addresses { parameters.append(("hostaddr", addresses)) }
        // A peer that vanished is noticed by the kernel within about a minute also when nobody waits for it.
        parameters.append(("keepalives_idle", "30"))
        parameters.append(("keepalives_interval", "10"))
        parameters.append(("keepalives_count", "3"))
        return parameters
    }

    private var serverOptions: String {
        options.sorted { $0.key < $1.key }.map { "-c \($0.key)=\(escaped($0.value))" }.joined(separator: " ")
    }

    /// Spaces and backslashes are escaped by a backslash in `options`.
    private func escaped(_ value: String) -> String {
        var escaped = ""
        for character in value {
            if character == " " || character == "\\" { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }
}
