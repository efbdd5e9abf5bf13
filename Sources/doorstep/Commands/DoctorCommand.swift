private import JSONText
private import Postgres
private import PostgresStore
private import Runtime

struct DoctorCommand: Command {
    static let spec = CommandSpec(
        name: "doctor",
        summary: "Looks for what is wrong and tells the remedy.",
        options: Configuration.serveOptions + [.init("--json", nil, "one JSON object: {ok, checks}")]
    )

    private let configuration: Configuration
    private let json: Bool

    init(_ arguments: inout Arguments) {
        configuration = Configuration(&arguments)
        json = arguments.has("--json")
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let console = Console(json: json)
        let files = configuration.unusableFiles
        var checks = files.isEmpty ? [Check("files", nil)] : files.map { Check("files", $0) }
        if configuration.apps.isEmpty { checks.append(Check("apps", "none is configured; name a file with --config")) }
        checks += await DatabaseChecks(configuration: configuration, loop: context.loop).run()
        for check in checks {
            console.print("\(check.problem == nil ? "ok     " : "WRONG  ") \(check.name)\(check.told)")
        }
        let isWell = checks.allSatisfy { $0.problem == nil }
        console.print(
            [
                "ok": .bool(isWell),
                "checks": .array(
                    checks.map {
                        ["name": .string($0.name), "ok": .bool($0.problem == nil), "problem": .optional($0.problem)]
                    }
                ),
            ] as JSON
        )
        return isWell ? .done : .checkFailed
    }
}

/// One thing that was looked at.
struct Check {
    let name: String
    /// What is wrong and what to do about it; nil when all is well.
    let problem: String?

    init(_ name: String, _ problem: String?) {
        self.name = name
        self.problem = problem
    }

    var told: String { problem.map { ": \($0)" } ?? "" }
}

/// Whether the database is there, of the right kind, and worked on.
private struct DatabaseChecks {
    /// More than this apart, times in the log disagree visibly with those of this machine.
    private static let skewLimit: Int64 = 2_000_000
    private static let lagLimit: Int64 = 30_000_000

    let configuration: Configuration
    let loop: EventLoop

    func run() async -> [Check] {
        do throws(Failure) {
            return try await Database(configuration, on: loop).connected { connection async throws(Failure) in
                await checks(connection)
            }
        } catch {
            return [Check("database", error.problems.joined(separator: "; "))]
        }
    }

    private func checks(_ connection: PostgresConnection) async -> [Check] {
        do throws(StoreError) {
            _ = try await Migrations.check(connection)
        } catch {
            return [Check("database", Failure(error).problems.joined(separator: "; "))]
        }
        do throws(PostgresError) {
            return [Check("database", nil)] + (try await figures(connection))
        } catch {
            return [Check("database", "\(error)")]
        }
    }

    private func figures(_ connection: PostgresConnection) async throws(PostgresError) -> [Check] {
        let before = WallClock.microseconds
        let (clock, parked) = try await connection.run(Counters.databaseTime, Counters.parkedStreams)
        let skew = clock - (before + WallClock.microseconds) / 2
        let (ranges, highest) = try await connection.run(Partitions.all, Partitions.highestPosition)
        let ahead = Partitions.ahead(ranges, highest: highest)
        let oldest = try await connection.run(LaneWork.lag()).map(\.recordedAt).min()
        let lag = oldest.map { clock - $0 } ?? 0
        let leases = try await connection.run(Leases.all())
        let idle = leases.count { $0.expiresAt < clock }
        return [
            Check(
                "clock",
                abs(skew) > Self.skewLimit ? "the database is \(skew / 1000) ms ahead of this machine; check NTP" : nil
            ),
            Check("ranges", ahead < 1 ? "the log has no range ahead; is a `serve` running?" : nil),
            Check("lanes", idle > 0 ? "nobody works \(idle) of \(leases.count) lanes; is a `serve` running?" : nil),
            Check("lag", lag > Self.lagLimit ? "the oldest fact not folded is \(lag / 1_000_000) s old" : nil),
            Check("parked", parked > 0 ? "\(parked) streams rest because a fact of theirs cannot be folded" : nil),
        ]
    }
}
