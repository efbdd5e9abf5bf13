internal import Runtime

/// One word of `doorstep WORD`.
protocol Command: Sendable {
    static var spec: CommandSpec { get }

    /// Takes what it needs from the arguments; what is wrong with them is added to their problems.
    init(_ arguments: inout Arguments)

    /// Does the work on the loop's thread; failures that end it are thrown.
    func run(_ context: CommandContext) async throws(Failure) -> ExitCode
}

/// What every command is given.
struct CommandContext: Sendable {
    let loop: EventLoop
    let environment: Environment
}
