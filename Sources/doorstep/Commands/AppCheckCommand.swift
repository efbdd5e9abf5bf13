internal import JSONText

struct AppCheckCommand: Command {
    static let spec = CommandSpec(
        name: "app check",
        summary: "Asks APNs whether an app's key and topic are right, and reads its contracts. Nobody gets a push.",
        operands: [.init("APP", .optional, "the app's id; all apps without it")],
        options: Configuration.options + [
            .init("--environment", "NAME", "sandbox, production or both; default: the app's own"),
            .init("--json", nil, "one JSON object: {ok, checks: [{app, environment, name, verdict, problem}]}"),
        ]
    )

    private let configuration: Configuration
    private let app: String?
    private let environments: [Configuration.App.Environment]?
    private let json: Bool

    init(_ arguments: inout Arguments) {
        configuration = Configuration(&arguments)
        app = arguments.operands.first
        json = arguments.has("--json")
        let word = arguments.text("--environment")
        environments =
            word == "both" ? [.sandbox, .production] : word.flatMap(Configuration.App.Environment.init).map { [$0] }
        if word != nil, environments == nil { arguments.complain("--environment must be sandbox, production or both") }
        if configuration.isWhole, apps.isEmpty {
            arguments.complain(
                app.map { "\($0): no such app; there are \(configuration.apps.map(\.id).joined(separator: ", "))" }
                    ?? "no app is configured; name a file with --config"
            )
        }
    }

    private var apps: [Configuration.App] { configuration.apps.filter { app == nil || $0.id == app } }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let console = Console(json: json)
        var findings: [AppFinding] = []
        for app in apps {
            let problems = app.readContracts().problems
            findings.append(AppFinding(app.id, nil, "contracts", problems.isEmpty ? .fine(nil) : .wrong(problems)))
            for environment in environments ?? [app.environment] {
                let probe = AppProbe(app: app, environment: environment, service: configuration.pushService)
                findings += await probe.run(on: context.loop)
            }
        }
        for finding in findings { console.print(finding.line) }
        let isWell = findings.allSatisfy(\.isFine)
        console.print(["ok": .bool(isWell), "checks": .array(findings.map(\.json))] as JSON)
        if isWell { return .done }
        return findings.contains(where: \.isWrong) ? .checkFailed : .unreachable
    }
}

/// One thing that was looked at, for one app.
struct AppFinding {
    enum Verdict {
        /// With a note, if there is something to know.
        case fine(String?)
        /// What is wrong and what to do about it.
        case wrong([String])
        /// APNs could not be asked.
        case unknown(String)
    }

    let app: String
    let environment: Configuration.App.Environment?
    let name: String
    let verdict: Verdict

    init(_ app: String, _ environment: Configuration.App.Environment?, _ name: String, _ verdict: Verdict) {
        self.app = app
        self.environment = environment
        self.name = name
        self.verdict = verdict
    }

    var isFine: Bool { if case .fine = verdict { true } else { false } }
    var isWrong: Bool { if case .wrong = verdict { true } else { false } }

    private var word: String {
        switch verdict {
        case .fine: "ok"
        case .wrong: "wrong"
        case .unknown: "unknown"
        }
    }

    private var problem: String? {
        switch verdict {
        case .fine: nil
        case .wrong(let problems): problems.joined(separator: "; ")
        case .unknown(let problem): problem
        }
    }

    var line: String {
        let place = ([app] + (environment.map { [$0.rawValue] } ?? [])).joined(separator: " ")
        return switch verdict {
        case .fine(let note): "ok      \(place): \(name)\(note.map { ", \($0)" } ?? "")"
        case .wrong(let problems): "WRONG   \(place): \(name): \(problems.joined(separator: "; "))"
        case .unknown(let problem): "UNKNOWN \(place): \(name): \(problem)"
        }
    }

    var json: JSON {
        [
            "app": .string(app), "environment": .optional(environment?.rawValue), "name": .string(name),
            "verdict": .string(word), "problem": .optional(problem),
        ]
    }
}
