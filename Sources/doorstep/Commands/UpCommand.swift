private import JSONText
private import Runtime

struct UpCommand: Command {
    static let spec = CommandSpec(
        name: "up",
        summary: "Runs Doorstep with its own PostgreSQL and a simulated APNs on this machine.",
        options: [
            .init("--data", "DIR", "where everything is kept; default: .doorstep"),
            .init("--port", "N", "API and console; N+1 to N+5 are the simulator's; 0: any free ones; default: 8080"),
            .init("--demo", nil, "play invented orders all the time"),
            .init("--json", nil, "when ready, one JSON object on standard output: {ready, pid, ports, env}"),
        ]
    )

    /// What ends the command.
    private enum End: Sendable {
        case ended(Result<Void, Failure>)
        case signalled
        /// No end at all: the screen is told to stop with everything else.
        case screen
    }

    private let folder: DataFolder
    private let port: Int
    private let plays: Bool
    private let json: Bool

    init(_ arguments: inout Arguments) {
        folder = DataFolder(arguments.text("--data") ?? ".doorstep")
        port = arguments.integer("--port", in: 0...(65_535 - LocalPorts.count)) ?? 8080
        plays = arguments.has("--demo")
        json = arguments.has("--json")
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        // Where no `up` has been, nothing of ours can hold the ports: leave no folder behind when they are taken.
        if !Files.exists(folder.lockFile) { _ = try LocalPorts.find(first: port) }
        try folder.make()
        // Held to the end of this function; the kernel frees it even after a kill -9.
        let lock = try InstanceLock(folder)
        let signal: Interruption
        do { signal = try Interruption(on: context.loop) } catch { throw Failure(.internalError, "\(error)") }
        let screen = Screen(Console(json: json), environment: context.environment, loop: context.loop)
        let supervisor = Supervisor(
            Supervisor.Settings(folder: folder, port: port, plays: plays),
            loop: context.loop,
            audience: Supervisor.Audience(note: screen.note, ready: screen.show)
        )
        let result = await withTaskGroup(of: End.self) { group -> Result<Void, Failure> in
            group.addTask {
                do throws(Failure) { return .ended(.success(try await supervisor.run())) } catch {
                    return .ended(.failure(error))
                }
            }
            group.addTask {
                try? await signal.run()
                return .signalled
            }
            group.addTask {
                await screen.run()
                return .screen
            }
            for await end in group {
                switch end {
                case .screen: continue
                case .ended(let result):
                    group.cancelAll()
                    return result
                case .signalled:
                    screen.note("stopping")
                    group.cancelAll()
                    await supervisor.stop()
                    return .success(())
                }
            }
            return .success(())
        }
        lock.release()
        try result.get()
        return .done
    }
}
