private import JSONText
private import PostgresStore
private import Runtime

struct MigrateCommand: Command {
    static let spec = CommandSpec(
        name: "migrate",
        summary: "Brings the database to this version's schema.",
        options: Configuration.options + [
            .init("--lanes", "N", "slices of the log, a power of two; on an empty database only; default: 64"),
            .init("--json", nil, "one JSON object: {applied, lanes}"),
        ]
    )

    private let configuration: Configuration
    private let lanes: Int?
    private let json: Bool

    init(_ arguments: inout Arguments) {
        configuration = Configuration(&arguments)
        lanes = arguments.integer("--lanes", in: 1...4096)
        json = arguments.has("--json")
        if let lanes, lanes & (lanes - 1) != 0 { arguments.complain("--lanes must be a power of two") }
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let console = Console(json: json)
        let lanes = lanes.map { Int32($0) }
        try await Database(configuration, on: context.loop).connected { connection async throws(Failure) in
            do throws(StoreError) {
                let applied = try await Migrations.apply(on: connection, lanes: lanes, now: WallClock.microseconds)
                let installation = try await Migrations.check(connection)
                for migration in applied { console.print("applied \(migration.number) \(migration.name)") }
                console.print("the database is current, with \(installation.lanes) lanes")
                console.print(
                    [
                        "applied": .array(applied.map { .integer($0.number) }),
                        "lanes": .integer(installation.lanes),
                    ] as JSON
                )
            } catch {
                throw Failure(error)
            }
        }
        return .done
    }
}
