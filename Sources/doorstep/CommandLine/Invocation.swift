private import Glibc
private import Runtime

/// From the words of a command line to an exit code.
struct Invocation {
    let commands: [any Command.Type]
    let environment: Environment

    /// What the words ask for, and whether the answer could be written.
    func run(_ words: [String]) async -> ExitCode {
        Signals.ignoreBrokenPipe()
        let code = await answer(words.first == "--version" ? ["version"] + words.dropFirst() : words)
        guard let lost = Console.lostOutput else { return code }
        for problem in lost.problems { Console().note("doorstep: \(problem)") }
        return lost.code.exitCode
    }

    private func answer(_ words: [String]) async -> ExitCode {
        guard let first = words.first, first != "--help", first != "-h", first != "help" else {
            show(overview(of: commands.map { $0.spec }))
            return words.isEmpty ? .usage : .done
        }
        guard let (command, rest) = find(words) else {
            let group = commands.map { $0.spec }.filter { $0.name.hasPrefix("\(first) ") }
            guard group.isEmpty else {
                show(overview(of: group))
                return words.contains("--help") ? .done : .usage
            }
            Console().note("doorstep: unknown command \"\(first)\"; `doorstep --help` lists them")
            return .usage
        }
        var arguments = Arguments(rest, spec: command.spec, environment: environment)
        if arguments.wantsHelp {
            show(command.spec.help)
            return .done
        }
        let made = command.init(&arguments)
        guard arguments.problems.isEmpty else {
            return tell(Failure(.usage, arguments.problems), of: command, hint: true)
        }
        do throws(Failure) {
            return try await run(made)
        } catch {
            return tell(error, of: command, hint: false)
        }
    }

    /// The command of two words, else of one.
    private func find(_ words: [String]) -> ((any Command.Type), ArraySlice<String>)? {
        for count in [2, 1] where words.count >= count {
            let name = words.prefix(count).joined(separator: " ")
            if let command = commands.first(where: { $0.spec.name == name }) {
                return (command, words.dropFirst(count))
            }
        }
        return nil
    }

    private func run(_ command: some Command) async throws(Failure) -> ExitCode {
        let loop: EventLoop
        do { loop = try EventLoop.start(name: "main") } catch {
            throw Failure(.internalError, "no event loop: \(error)")
        }
        let context = CommandContext(loop: loop, environment: environment)
        let result = await withTaskExecutorPreference(loop.tasks) { () async -> Result<ExitCode, Failure> in
            do throws(Failure) { return .success(try await command.run(context)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func tell(_ failure: Failure, of command: any Command.Type, hint: Bool) -> ExitCode {
        let console = Console()
        for problem in failure.problems { console.note("doorstep \(command.spec.name): \(problem)") }
        if hint { console.note("see `doorstep \(command.spec.name) --help`") }
        return failure.code.exitCode
    }

    /// Text of our own, of several lines.
    private func show(_ text: String) {
        Console().print(lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }

    private func overview(of specs: [CommandSpec]) -> String {
        let width = specs.map(\.name.count).max() ?? 0
        let rows = specs.map { spec in
            let padding = String(repeating: " ", count: width - spec.name.count + 2)
            return "  \(spec.name)\(padding)\(spec.summary.prefix { $0 != "\n" })"
        }
        return
            "usage: doorstep COMMAND [options]\n\n\(rows.joined(separator: "\n"))\n\n`doorstep COMMAND --help` explains each."
    }
}
