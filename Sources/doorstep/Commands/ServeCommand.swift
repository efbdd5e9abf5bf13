private import Runtime

struct ServeCommand: Command {
    static let spec = CommandSpec(
        name: "serve",
        summary: "Serves the API and does the work behind it.",
        options: Configuration.serveOptions
    )

    private let configuration: Configuration

    init(_ arguments: inout Arguments) {
        configuration = Configuration(&arguments)
        configuration.needApps(&arguments)
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        try await Wiring(configuration: configuration, loop: context.loop, log: Log()).run()
        return .done
    }
}
