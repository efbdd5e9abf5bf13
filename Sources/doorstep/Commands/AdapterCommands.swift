private import Adapters
private import JSONText

struct AdapterCheckCommand: Command {
    static let spec = CommandSpec(
        name: "adapter check",
        summary: "Tells everything that is wrong with an adapter, and which events a webhook becomes.",
        operands: [
            .init("FILE", .one, "the adapter (docs/adapters.md), or the name of one that is built in"),
            .init("SAMPLE", .one, "a webhook's body as it was received"),
        ],
        options: [.init("--json", nil, "one JSON object: {ok, problems, name, events}")]
    )

    private let adapter: [UInt8]?
    private let builtIn: String?
    private let sample: [UInt8]
    private let files: (adapter: String, sample: String)
    private let json: Bool

    init(_ arguments: inout Arguments) {
        json = arguments.has("--json")
        let named = arguments.operands.first ?? ""
        files = (named, arguments.operands.dropFirst().first ?? "")
        builtIn = Adapter.builtIn.contains { $0.name == named } ? named : nil
        adapter = builtIn == nil ? Self.read(named, &arguments) : nil
        sample = Self.read(files.sample, &arguments) ?? []
    }

    /// Nil when it cannot be read, which is then a problem; an operand that is missing is one already.
    private static func read(_ path: String, _ arguments: inout Arguments) -> [UInt8]? {
        guard !path.isEmpty else { return nil }
        do throws(FileError) {
            return try Files.read(path == "-" ? "/dev/stdin" : path)
        } catch {
            arguments.complain("\(error)")
            return nil
        }
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let console = Console(json: json)
        do throws(AdapterError) {
            let adapter = try chosen()
            // Whoever asks has the sample in hand: its signature is not judged.
            let request = HookRequest(method: "POST", url: "/", headers: [], body: sample)
            let events = try adapter.events(from: request, source: adapter.name)
            console.print(
                ["ok": true, "problems": [], "name": .string(adapter.name), "events": .array(events.map(JSON.object))]
            )
            console.print("\(adapter.name) makes \(events.count) event\(events.count == 1 ? "" : "s") of it")
            console.print(lines: events.map { "\(JSON.object($0))" })
            return .done
        } catch {
            console.print(["ok": false, "problems": .array(error.problems.map { $0.json })])
            let file = error.code == .badAdapter ? files.adapter : files.sample
            throw Failure(.usage, error.problems.map { "\(file): \($0)" })
        }
    }

    private func chosen() throws(AdapterError) -> Adapter {
        if let known = Adapter.builtIn.first(where: { $0.name == builtIn }) { return known }
        return try Adapter(adapter ?? [])
    }
}

extension AdapterError.Problem {
    fileprivate var json: JSON { ["at": .string(pointer), "detail": .string(detail)] }
}
