private import JSONText
private import Replay
private import Simulation
private import Tracking

struct SimulateCommand: Command {
    static let spec = CommandSpec(
        name: "simulate",
        summary: "Tries a policy on recorded events, beside the current one, without network or database.",
        operands: [
            .init("POLICY.json", .one, "the policy (docs/policy.md)"),
            .init("FILE", .one, "as for replay: CloudEvents as JSON Lines or array, or CSV; - is standard input"),
        ],
        options: [
            .init("--map", "MAP.json", "how the rows of a table become events (docs/replay.md)"),
            .init(
                "--app",
                "APP",
                "whose policy is the current one; default: the map's app, else DOORSTEP_APP, else demo"
            ),
            .init("--config", "FILE", "configuration with that app; default: doorstep.json if it exists"),
            .init("--phones", "per-order|per-customer", "a phone for every order (default), or the file's customers"),
            .init("--eta", "SEED", "invent arrival times and quiet periods on top (docs/simulate.md)"),
            .init("--progress", nil, "show progress also when standard error is no terminal"),
            .init("--json", nil, "the report as one JSON object"),
        ]
    )

    private let policy: Policy
    private let configuration: Configuration
    private let file: String
    private let map: String?
    private let app: String?
    private let defaultApp: String
    private let eta: UInt64?
    private var settings = SimulationSettings()
    private let console: Console

    init(_ arguments: inout Arguments) {
        console = Console(json: arguments.has("--json"), progress: arguments.has("--progress"))
        configuration = Configuration(&arguments)
        policy = arguments.operands.first.map { Self.policy($0, &arguments) } ?? Policy()
        file = arguments.operands.last ?? "-"
        map = arguments.text("--map")
        app = arguments.text("--app")
        defaultApp = arguments.variable("DOORSTEP_APP") ?? "demo"
        eta = arguments.integer("--eta").map { UInt64($0) }
        if let app, configuration.isWhole, !configuration.apps.contains(where: { $0.id == app }) {
            arguments.complain("no app \(app) is configured: name a configuration with --config")
        }
        switch arguments.text("--phones") {
        case nil, "per-order": settings.phones = .perOrder
        case "per-customer": settings.phones = .perCustomer
        case let word?: arguments.complain("--phones must be per-order or per-customer, not \"\(word)\"")
        }
    }

    /// What the file says; all that is wrong with it is told as `config check` would.
    private static func policy(_ path: String, _ arguments: inout Arguments) -> Policy {
        do {
            var fields = ConfigurationFields(try JSON.parse(try Files.read(path)), at: "")
            let policy = Policy(&fields)
            for problem in fields.allProblems { arguments.complain("\(path): \(problem)") }
            return policy
        } catch let error as FileError {
            arguments.complain("\(error)")
        } catch {
            arguments.complain("\(path): not JSON: \(error)")
        }
        return Policy()
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        var stream = try read()
        if let eta { stream = stream.inventingArrivals(seed: eta) }
        let (policy, current) = policies(app ?? stream.app ?? defaultApp)
        let progress = ProgressLine(console)
        let total = stream.events
        let report = await Simulation(stream, settings: settings).compare(policy, with: current) { done in
            progress.show("events", done, of: total)
        }
        console.endProgress()
        console.print(report.json)
        console.print(lines: report.lines)
        return report.isClean ? .done : .checkFailed
    }

    private func read() throws(Failure) -> RecordedStream {
        do throws(ReplayError) {
            return try RecordedStream(path: file, map: map)
        } catch {
            throw Failure(error)
        }
    }

    /// The policy of the file and that of the app, both for the app's contract; an app that is not configured has the
    /// defaults.
    private func policies(_ name: String) -> (policy: Policy, current: Policy) {
        guard let app = configuration.apps.first(where: { $0.id == name }) else { return (policy, Policy()) }
        var (policy, current) = (policy, app.policy)
        current.contract = app.contractDemands
        policy.contract = current.contract
        return (policy, current)
    }
}
