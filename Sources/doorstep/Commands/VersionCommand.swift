private import JSONText

struct VersionCommand: Command {
    static let spec = CommandSpec(
        name: "version",
        summary: "Tells which Doorstep this is.",
        options: [.init("--json", nil, "one JSON object: {version, build}")]
    )

    private let json: Bool

    init(_ arguments: inout Arguments) { json = arguments.has("--json") }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let console = Console(json: json)
        console.print("doorstep \(Doorstep.version) (\(Self.build))")
        console.print(["version": .string(Doorstep.version), "build": .string(Self.build)] as JSON)
        return .done
    }

    #if DEBUG
    private static let build = "debug"
    #else
    private static let build = "release"
    #endif
}
