private import API
private import JSONText
private import Postgres
private import PostgresStore
private import Runtime

struct KeysListCommand: Command {
    static let spec = CommandSpec(
        name: "keys list",
        summary: "Lists the keys of callers, without their secrets.",
        options: Configuration.options + [.init("--json", nil, "one JSON object: {keys}")]
    )

    private let configuration: Configuration
    private let json: Bool

    init(_ arguments: inout Arguments) {
        configuration = Configuration(&arguments)
        json = arguments.has("--json")
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let console = Console(json: json)
        let rows = try await Database(configuration, on: context.loop).connected { connection async throws(Failure) in
            try await calling { () async throws(PostgresError) in
                let (keys, apps) = try await connection.run(AccessKeys.all, Apps.all)
                let names = Dictionary(apps.map { ($0.number, $0.name) }, uniquingKeysWith: { $1 })
                return keys.map { (key: $0, apps: $0.apps.map { names[$0] ?? "?" }) }
            }
        }
        for row in rows {
            let state = row.key.revokedAt == nil ? "valid" : "revoked"
            console.print(
                "\(row.key.id)  \(row.key.role)  \(row.apps.joined(separator: ","))  \(state)  \(row.key.note)"
            )
        }
        let keys = rows.map { row -> JSON in
            [
                "id": .string(row.key.id), "role": .string(row.key.role), "apps": .array(row.apps.map(JSON.string)),
                "note": .string(row.key.note), "createdAt": .string(RFC3339.format(row.key.createdAt)),
                "revokedAt": .optional(row.key.revokedAt.map(RFC3339.format)),
            ]
        }
        console.print(["keys": .array(keys)] as JSON)
        return .done
    }
}

struct KeysCreateCommand: Command {
    static let spec = CommandSpec(
        name: "keys create",
        summary: "Makes a key and shows it once.",
        options: Configuration.options + [
            .init("--role", "ROLE", Role.allCases.map(\.rawValue).joined(separator: ", ")),
            .init("--apps", "A,B", "the apps it is valid for"),
            .init("--sources", "S,T", "for ingest: the sources it may post for; default: all of its apps"),
            .init("--note", "TEXT", "who has it; shown in lists"),
            .init("--json", nil, "one JSON object: {id, key}"),
        ]
    )

    private let configuration: Configuration
    private let role: Role?
    private let apps: [String]
    private let sources: [String]
    private let note: String
    private let json: Bool

    init(_ arguments: inout Arguments) {
        configuration = Configuration(&arguments)
        role = arguments.text("--role").flatMap(Role.init)
        apps = arguments.list("--apps")
        sources = arguments.list("--sources")
        note = arguments.text("--note") ?? ""
        json = arguments.has("--json")
        if role == nil {
            arguments.complain("--role must be one of \(Role.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if apps.isEmpty { arguments.complain("--apps must name at least one app") }
        if !sources.isEmpty, role != .ingest { arguments.complain("--sources is for --role ingest") }
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let console = Console(json: json)
        guard let role else { throw Failure(.usage, "--role is needed") }
        let key = try await Database(configuration, on: context.loop).connected { connection async throws(Failure) in
            let (known, sources) = try await calling { () async throws(PostgresError) in
                try await connection.run(Apps.all, Apps.sources)
            }
            let appNumbers = try numbers(of: apps, "app") { name in
                known.filter { $0.name == name }.map(\.number)
            }
            let sourceNumbers = try numbers(of: self.sources, "source of these apps") { name in
                sources.filter { $0.name == name && appNumbers.contains($0.app) }.map(\.number)
            }
            return try await calling { () async throws(PostgresError) in
                try await KeyStore(session: connection)
                    .create(role, apps: appNumbers, sources: sourceNumbers, note: note, now: WallClock.microseconds)
            }
        }
        console.print(key.text)
        console.print(["id": .string(key.id), "key": .string(key.text)] as JSON)
        return .done
    }

    private func numbers(of names: [String], _ kind: String, _ find: (String) -> [Int32]) throws(Failure) -> [Int32] {
        var numbers: [Int32] = []
        for name in names {
            let found = find(name)
            if found.isEmpty {
                throw Failure(.usage, "the database knows no \(kind) \"\(name)\"; `serve` adds those of doorstep.json")
            }
            numbers += found
        }
        return numbers
    }
}

struct KeysRevokeCommand: Command {
    static let spec = CommandSpec(
        name: "keys revoke",
        summary: "Ends a key at once.",
        operands: [.init("ID", .one, "as `keys list` shows it")],
        options: Configuration.options + [.init("--json", nil, "one JSON object: {revoked}")]
    )

    private let configuration: Configuration
    private let id: String
    private let json: Bool

    init(_ arguments: inout Arguments) {
        configuration = Configuration(&arguments)
        id = arguments.operands.first ?? ""
        json = arguments.has("--json")
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let console = Console(json: json)
        let count = try await Database(configuration, on: context.loop).connected { connection async throws(Failure) in
            try await calling { () async throws(PostgresError) in
                try await connection.run(AccessKeys.revoke(id: id, at: WallClock.microseconds))
            }
        }
        guard count > 0 else { throw Failure(.refused, "no valid key has the id \(id)") }
        console.print("revoked \(id)")
        console.print(["revoked": .string(id)] as JSON)
        return .done
    }
}

/// Turns a failed call into what the person is told.
private func calling<Value>(_ body: () async throws(PostgresError) -> Value) async throws(Failure) -> Value {
    do throws(PostgresError) { return try await body() } catch { throw Failure(error) }
}
