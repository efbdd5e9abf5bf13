private import JSONText
private import Replay
private import Runtime

struct GenerateCommand: Command {
    static let spec = CommandSpec(
        name: "generate",
        summary: "Invents a stream of orders: CloudEvents as JSON Lines on standard output.",
        options: [
            .init("--orders", "N", "how many orders"),
            .init("--seed", "S", "same seed and end give the same bytes"),
            .init("--end", "TIME", "when the newest event happened (RFC 3339); default: now"),
        ]
    )

    private let orders: Int
    private let seed: Int
    private let end: Int64?

    init(_ arguments: inout Arguments) {
        orders = arguments.integer("--orders", in: 1...100_000_000) ?? 0
        seed = arguments.integer("--seed") ?? 0
        for name in ["--orders", "--seed"] where arguments.text(name) == nil { arguments.complain("\(name) is needed") }
        let time = arguments.text("--end").map { RFC3339.parse($0) }
        end = time??.microseconds
        if let time, time?.hasOffset != true { arguments.complain("--end must be a time such as 2026-11-30T12:00:00Z") }
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let console = Console()
        let generator = Generator(orders: orders, seed: UInt64(seed), end: end ?? WallClock.microseconds)
        try? generator.run { line in
            console.write(line: line)
            // Nobody takes the rest.
            if Console.outputIsClosed { throw CancellationError() }
        }
        return .done
    }
}
