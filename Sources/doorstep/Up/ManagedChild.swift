internal import Runtime

/// One child of `up`: started, watched, started again a second after it died, and stopped in the end.
actor ManagedChild {
    nonisolated let name: String
    nonisolated let log: ChildLog
    private nonisolated let loop: EventLoop
    private var program: Program
    private let pidFile: PidFile
    private let stopSignal: Int32
    private let note: @Sendable (String) -> Void
    private var process: ChildProcess?
    private var stopping = false
    private(set) var restarts = 0
    /// How the last one that died did.
    private(set) var lastExit: ChildProcess.Exit?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// `program` must have a log file and an environment of its own; `note` tells people of deaths.
    init(
        _ name: String,
        _ program: Program,
        pidFile: PidFile,
        stopSignal: Int32,
        loop: EventLoop,
        note: @escaping @Sendable (String) -> Void
    ) {
        self.name = name
        self.program = program
        self.pidFile = pidFile
        self.stopSignal = stopSignal
        self.loop = loop
        self.note = note
        log = ChildLog(path: program.logFile ?? "")
    }

    /// Keeps the child running until `stop`. Being cancelled ends the pause before a restart, not the child.
    func run() async {
        while !stopping {
            do throws(RuntimeError) {
                let process = try await ChildProcess.start(program, on: loop)
                self.process = process
                pidFile.write(process.processID)
                lastExit = await process.waitForExit()
                self.process = nil
                pidFile.remove()
                if !stopping {
                    note("\(name) ended (\(lastExit.map(Self.words) ?? "")); it starts again in 1 s; \(log.hint)")
                }
            } catch {
                note("\(name) cannot be started: \(error)")
            }
            guard !stopping else { return }
            restarts += 1
            // A test's crash must not repeat itself in the next process.
            program.environment?[Environment.crashVariable] = nil
            guard (try? await loop.sleep(for: .seconds(1))) != nil else { return }
        }
    }

    /// Ends the child, by force after `grace`.
    func stop(grace: Duration) async {
        stopping = true
        _ = await process?.stop(signal: stopSignal, grace: grace)
    }

    private static func words(_ exit: ChildProcess.Exit) -> String {
        switch exit {
        case .code(let code): "exit code \(code)"
        case .signal(let number): "signal \(number)"
        }
    }
}
