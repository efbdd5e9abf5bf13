import APNs
import Crypto
import Glibc
import HTTP2
import Runtime

/// A program of others that a test starts beside it.
struct ForeignProgram {
    let process: ChildProcess
    let output: TemporaryFile

    /// The Python with h2, where there is one.
    static let python: String? = {
        guard let path = getenv("DOORSTEP_PYTHON"), access(path, X_OK) == 0 else { return nil }
        return String(cString: path)
    }()

    static func isInstalled(_ program: String) -> Bool {
        ["/usr/bin", "/usr/sbin", "/usr/local/bin"].contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// Starts a program, runs `body`, and stops the program.
    static func with<Value>(
        _ executable: String,
        _ arguments: [String],
        on loop: EventLoop,
        _ body: (ForeignProgram) async throws -> Value
    ) async throws -> Value {
        let output = try TemporaryFile("")
        let program = Program(executable, arguments, logFile: output.path)
        let started = ForeignProgram(process: try await .start(program, on: loop), output: output)
        do {
            let value = try await body(started)
            _ = await started.process.stop(grace: .seconds(2))
            return value
        } catch {
            _ = await started.process.stop(grace: .seconds(2))
            throw error
        }
    }

    /// A script of Tests/Foreign, whatever link leads to this file.
    static func script(_ name: String, file: String = #filePath) -> String {
        guard let path = realpath(file, nil) else { return name }
        defer { free(path) }
        let folders = String(cString: path).split(separator: "/").dropLast(3)
        return folders.reduce("") { $0 + "/" + $1 } + "/Foreign/" + name
    }

    /// What it wrote so far, line by line.
    var lines: [Substring] { get throws { try output.text().split(separator: "\n") } }

    /// The port that it says it listens on.
    func port(on loop: EventLoop) async throws -> Int {
        for _ in 0..<6000 {
            for line in try lines where line.hasPrefix("listening ") {
                if let port = Int(line.dropFirst(10)) { return port }
            }
            try await loop.sleep(for: .milliseconds(10))
        }
        throw HTTP2Error(.unreachable, try output.text())
    }
}

/// A server's certificate and key as files, for programs that want paths.
struct IdentityFiles {
    let trust: TemporaryFile
    let certificate: TemporaryFile
    let key: TemporaryFile

    init() throws {
        let issuer = try CertificateAuthority.generate()
        let leaf = try issuer.issue()
        trust = try TemporaryFile(issuer.certificatePEM)
        certificate = try TemporaryFile(leaf.certificatePEM)
        key = try TemporaryFile(leaf.privateKeyPEM)
    }
}

extension APNsClient {
    /// Runs a client of some server on this machine while `body` runs.
    static func with(
        port: Int,
        trust: TLSTrust,
        settings: APNsClientSettings = APNsClientSettings(),
        on loop: EventLoop,
        _ body: @escaping @Sendable (APNsClient) async throws -> Void
    ) async throws {
        let client = try APNsClient(
            loop: loop,
            endpoint: APNsEndpoint(host: "127.0.0.1", port: port, trust: trust),
            tokens: ProviderTokenSource(team: "TEAM123456", key: try TestIdentity.shared.get().key),
            settings: settings
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            try await withTaskExecutorPreference(loop.tasks) { try await body(client) }
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
