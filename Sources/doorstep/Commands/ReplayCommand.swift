private import JSONText
internal import Replay

struct ReplayCommand: Command {
    static let spec = CommandSpec(
        name: "replay",
        summary: "Sends recorded events to Doorstep and checks what the phones showed.",
        operands: [
            .init(
                "FILE",
                .oneOrMore,
                "CloudEvents as JSON Lines or array, or CSV; gzip is recognised; - is standard input"
            )
        ],
        options: [
            .init("--format", "cloudevents|csv", "default: csv with --map, else cloudevents"),
            .init("--map", "MAP.json", "how the rows of a table become events (docs/replay.md)"),
            .init("--app", "APP", "default: the map's app, else DOORSTEP_APP, else demo"),
            .init(
                "--speed",
                "settled|N|max",
                "settled (default): an order's next event when its last has settled;\nN: N times real time; max: batches of 500, four in flight"
            ),
            .init("--rate", "R", "R events a second, whatever the answers do"),
            .init("--shuffle", "SEED", "permute all rows"),
            .init("--repeat", "N", "send every row N times under the same id"),
            .init("--phones", "N|per-customer", "phones per order (default 1; 0: none), or the file's customers"),
            .init("--settle", "SECONDS", "how long the end may wait for orders to settle; default 120"),
            .init("--rebase", nil, "move times by whole days, so that the newest is not in the future"),
            .init("--export", "FILE", "the state of all orders, one JSON line each"),
            .init("--progress", nil, "show progress also when standard error is no terminal"),
            .init("--json", nil, "the report as one JSON object"),
        ]
    )

    private var settings = ReplaySettings()
    private let endpoints: Replay.Endpoints
    private let console: Console

    init(_ arguments: inout Arguments) {
        console = Console(json: arguments.has("--json"), progress: arguments.has("--progress"))
        endpoints = Replay.Endpoints(
            doorstep: arguments.variable("DOORSTEP_URL") ?? "http://127.0.0.1:8080",
            ingestKey: arguments.needed("DOORSTEP_INGEST_KEY"),
            supportKey: arguments.needed("DOORSTEP_SUPPORT_KEY"),
            simulator: arguments.variable("DOORSTEP_SIMULATOR_URL")
        )
        settings.files = arguments.operands
        settings.map = arguments.text("--map")
        settings.app = arguments.text("--app")
        settings.defaultApp = arguments.variable("DOORSTEP_APP") ?? "demo"
        settings.rebase = arguments.has("--rebase")
        settings.export = arguments.text("--export")
        settings.shuffle = arguments.integer("--shuffle").map { UInt64($0) }
        settings.repeats = arguments.integer("--repeat", in: 1...1000) ?? 1
        if let seconds = arguments.integer("--settle", in: 0...86_400) { settings.settle = .seconds(seconds) }
        readFormat(&arguments)
        readPace(&arguments)
        readPhones(&arguments)
    }

    private mutating func readFormat(_ arguments: inout Arguments) {
        if let word = arguments.text("--format") {
            if let format = ReplaySettings.Format(rawValue: word) {
                settings.format = format
            } else {
                arguments.complain("--format must be cloudevents or csv, not \"\(word)\"")
            }
        } else if settings.map != nil {
            settings.format = .csv
        }
        if settings.format == .csv, settings.map == nil { arguments.complain("--format csv needs --map MAP.json") }
        if settings.format == .cloudEvents, settings.map != nil { arguments.complain("--map is for --format csv") }
    }

    private mutating func readPace(_ arguments: inout Arguments) {
        if let rate = arguments.positive("--rate") {
            settings.pace = .rate(rate)
            if arguments.text("--speed") != nil { arguments.complain("--rate and --speed exclude each other") }
            return
        }
        switch arguments.text("--speed") {
        case nil, "settled": settings.pace = .settled
        case "max": settings.pace = .fastest
        case let text?:
            if let times = Double(text), times > 0, times.isFinite {
                settings.pace = .times(times)
            } else {
                arguments.complain("--speed must be settled, max or a number above 0, not \"\(text)\"")
            }
        }
    }

    private mutating func readPhones(_ arguments: inout Arguments) {
        if arguments.text("--phones") == "per-customer" {
            settings.phones = .perCustomer
        } else if let count = arguments.integer("--phones", in: 0...100) {
            settings.phones = .perOrder(count)
        }
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let progress = ProgressLine(console)
        let replay = Replay(
            settings,
            endpoints: endpoints,
            loop: context.loop,
            progress: { progress.show($0.stage.rawValue, $0.done, of: $0.total) },
            notice: { console.note("doorstep replay: \($0)") }
        )
        let report: ReplayReport
        do throws(ReplayError) { report = try await replay.run() } catch { throw Failure(error) }
        console.endProgress()
        console.print(report.json)
        console.print(lines: report.lines)
        return report.isClean ? .done : .checkFailed
    }
}

extension Arguments {
    /// A variable that must be set; "" after complaining.
    mutating func needed(_ variable: String) -> String {
        if let value = self.variable(variable) { return value }
        complain(
            "\(variable) is not set; load the environment of `doorstep up`: set -a; . .doorstep/doorstep.env; set +a"
        )
        return ""
    }
}

extension Failure {
    init(_ error: ReplayError) {
        let code: Code =
            switch error.code {
            case .badInput: .usage
            case .unreachable: .unreachable
            case .refused: .refused
            case .unexpectedAnswer: .internalError
            }
        self.init(code, error.problems)
    }
}

extension ReplayReport {
    /// The report for people: the JSON's members, one a line.
    fileprivate var lines: [String] { Self.lines(json, indent: "") }

    private static func lines(_ json: JSON, indent: String) -> [String] {
        (json.objectValue?.members ?? []).flatMap { member -> [String] in
            guard let inner = member.value.objectValue, !inner.isEmpty else {
                return ["\(indent)\(member.name): \(member.value)"]
            }
            return ["\(indent)\(member.name):"] + lines(.object(inner), indent: indent + "  ")
        }
    }
}
