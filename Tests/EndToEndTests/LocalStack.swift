import Glibc
import JSONText
import Replay
import Runtime
import TestSupport
import Testing

/// A whole Doorstep on free ports in a folder of its own: `doorstep up`, as a person would start it.
final class LocalStack: Sendable {
    static let loop = TestLoop.shared
    static let missing: Comment = "needs a database: PostgreSQL's server programs are not installed"
    private static let count = Locked(0)

    let folder: String
    private let process: ChildProcess
    let variables: [String: String]

    private init(folder: String, process: ChildProcess, variables: [String: String]) {
        self.folder = folder
        self.process = process
        self.variables = variables
    }

    /// Runs `body` with a stack that was started with these variables besides ours, and stops it afterwards.
    static func with<Value>(
        _ environment: [String: String] = [:],
        _ body: (LocalStack) async throws -> Value
    ) async throws -> Value {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let folder = "/tmp/doorstep-e2e-\(getpid())-\(number)"
        let stack = try await start(in: folder, environment)
        do {
            let value = try await body(stack)
            await stack.stop()
            try await remove(folder)
            return value
        } catch {
            // The folder stays, to be looked at.
            await stack.stop()
            throw error
        }
    }

    /// Starts a stack in a folder that may hold an earlier one's data. Stop it when done.
    static func start(in folder: String, _ environment: [String: String] = [:]) async throws -> LocalStack {
        let log = "\(folder).log"
        unlink(log)
        let process = try await ChildProcess.start(up(in: folder, log: log, environment), on: loop)
        for _ in 0..<1200 {
            if text(log).contains("{\"ready\"") {
                return LocalStack(folder: folder, process: process, variables: variables(of: "\(folder)/doorstep.env"))
            }
            guard await process.isRunning else { break }
            try await loop.sleep(for: .milliseconds(50))
        }
        _ = await process.stop(grace: .seconds(15))
        throw NotReady(log: text(log))
    }

    /// `doorstep up` as a program; its output, errors included, goes to `log`.
    static func up(in folder: String, log: String, _ environment: [String: String] = [:]) -> Program {
        var program = Program(doorstep, ["up", "--data", folder, "--port", "0", "--json"], logFile: log)
        program.environment = ["PATH": getenv("PATH").map { String(cString: $0) } ?? ""]
            .merging(environment) { _, given in given }
        return program
    }

    /// The program lies beside the tests' own.
    static let doorstep = {
        let tests = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
        return tests.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/doorstep"
    }()

    struct NotReady: Error { let log: String }

    /// Ends everything as Ctrl-C does; answers how `up` ended.
    @discardableResult
    func stop(signal: Int32 = SIGTERM) async -> ChildProcess.Exit {
        await process.stop(signal: signal, grace: .seconds(15))
    }

    /// Kills `up` itself, which leaves its children behind.
    func killUp() async -> ChildProcess.Exit {
        kill(process.processID, SIGKILL)
        return await process.waitForExit()
    }

    /// Stops `up` itself, and lets it go on.
    func signalUp(_ signal: Int32) { kill(process.processID, signal) }

    subscript(variable: String) -> String { variables[variable] ?? "" }

    /// The id of a child, as its file tells; nil while there is none.
    func pid(of child: String) -> Int32? {
        Int32(Self.text("\(folder)/run/\(child).pid").filter { !$0.isWhitespace })
    }

    /// A process that ended but was not waited for, as an orphan may be, has no command line any more.
    static func isRunning(_ id: Int32) -> Bool { !text("/proc/\(id)/cmdline").isEmpty }

    /// Replays with this stack's keys and phones.
    func replay(
        progress: @escaping @Sendable (ReplayProgress) -> Void = { _ in },
        _ change: (inout ReplaySettings) -> Void
    ) async throws -> ReplayReport {
        var settings = ReplaySettings()
        change(&settings)
        let replay = Replay(
            settings,
            endpoints: Replay.Endpoints(
                doorstep: self["DOORSTEP_URL"],
                ingestKey: self["DOORSTEP_INGEST_KEY"],
                supportKey: self["DOORSTEP_SUPPORT_KEY"],
                simulator: self["DOORSTEP_SIMULATOR_URL"]
            ),
            loop: Self.loop,
            progress: progress,
            notice: { _ in }
        )
        return try await replay.run()
    }

    /// Writes an invented stream of orders and answers where.
    func generate(orders: Int, seed: UInt64) throws -> String {
        var lines: [UInt8] = []
        Generator(orders: orders, seed: seed, end: WallClock.microseconds).run { lines += $0 + [UInt8(ascii: "\n")] }
        let path = "\(folder)/orders-\(seed).jsonl"
        try Self.write(lines, to: path)
        return path
    }

    // MARK: - Files

    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func variables(of file: String) -> [String: String] {
        text(file).split(separator: "\n").reduce(into: [:]) { variables, line in
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1].dropFirst().dropLast()) }
        }
    }

    private static func remove(_ folder: String) async throws {
        let program = Program("rm", ["-rf", folder, "\(folder).log", "\(folder).second.log"])
        _ = try await ChildProcess.start(program, on: loop).waitForExit()
    }
}
