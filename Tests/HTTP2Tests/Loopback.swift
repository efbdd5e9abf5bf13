import Crypto
import Glibc
import HTTP2
import Runtime

/// A server on a free port of this machine, and the file its clients trust.
struct Loopback {
    let loop: EventLoop
    let server: HTTP2Server
    let port: Int
    let trust: TLSTrust

    /// Starts a server, runs `body` on the loop, and stops the server.
    static func with<Value: Sendable>(
        settings: HTTP2ServerSettings = HTTP2ServerSettings(),
        names: [String] = ["localhost"],
        addresses: [String] = ["127.0.0.1", "::1"],
        onEvent: @escaping @Sendable (HTTP2ConnectionEvent) -> Void = { _ in },
        handler: @escaping @Sendable (HTTP2Request) async -> HTTP2Answer,
        _ body: @escaping @Sendable (Loopback) async throws -> Value
    ) async throws -> Value {
        let loop = try TestLoop.shared.get()
        let authority = try CertificateAuthority.generate()
        let identity = try authority.issue(names: names, addresses: addresses)
        let file = try TemporaryFile(authority.certificatePEM)
        let server = try HTTP2Server(
            loop: loop,
            settings: settings,
            certificatePEM: identity.certificatePEM,
            privateKeyPEM: identity.privateKeyPEM,
            onEvent: onEvent,
            handler: handler
        )
        let port = try await server.start()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            let loopback = Loopback(loop: loop, server: server, port: port, trust: .file(file.path))
            let value = try await withTaskExecutorPreference(loop.tasks) { try await body(loopback) }
            group.cancelAll()
            try await group.waitForAll()
            _ = file
            return value
        }
    }

    func client(host: String = "127.0.0.1") throws -> TestClient {
        try TestClient(loop: loop, origin: HTTP2Origin(host: host, port: port, trust: trust))
    }
}

/// One loop for all tests: tasks may outlive the test that began them, and must find their executor alive.
enum TestLoop {
    static let shared = Result { try EventLoop.start(name: "test") }
}

/// A file that is removed with its last user.
final class TemporaryFile: Sendable {
    let path: String

    init(_ text: String) throws {
        path = "/tmp/doorstep-test-\(UUID128.random()).pem"
        guard let file = fopen(path, "w") else { throw HTTP2Error(.badConfiguration, path) }
        fputs(text, file)
        fclose(file)
    }

    deinit { unlink(path) }

    func text() throws -> String {
        guard let file = fopen(path, "r") else { throw HTTP2Error(.badConfiguration, path) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

/// The least actor that can own a connection.
actor TestClient {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let origin: HTTP2Origin
    private var connection: HTTP2ClientConnection?
    private(set) var goAways: [HTTP2GoAway] = []
    private(set) var limits: [Int] = []
    private(set) var end: HTTP2Error?

    init(loop: EventLoop, origin: HTTP2Origin) throws {
        self.loop = loop
        self.origin = origin
    }

    func connect(within limit: Duration = .seconds(60)) async throws(HTTP2Error) {
        connection = try await origin.connect(on: loop, within: limit) { [weak self] event in
            self?.assumeIsolated { $0.note(event) }
        }
    }

    var hasResumed: Bool { connection?.hasResumed ?? false }
    var openStreams: Int { connection?.openStreams ?? 0 }

    func send(_ request: HTTP2ClientRequest, within limit: Duration = .seconds(60)) async -> HTTP2Outcome {
        await withCheckedContinuation { continuation in
            guard let connection else { return continuation.resume(returning: .unsent(HTTP2Error(.closed, "none"))) }
            connection.send(request, deadline: .now + limit) { continuation.resume(returning: $0) }
        }
    }

    func sendMany(_ count: Int, body: [UInt8] = [1], within limit: Duration = .seconds(60)) async -> [HTTP2Outcome] {
        await sendMany(count, of: HTTP2ClientRequest(path: "/", body: body), within: limit)
    }

    func sendMany(_ count: Int, of request: HTTP2ClientRequest, within limit: Duration) async -> [HTTP2Outcome] {
        await withTaskGroup(of: HTTP2Outcome.self) { group in
            for _ in 0..<count {
                group.addTask(executorPreference: self.loop.tasks) { await self.send(request, within: limit) }
            }
            var outcomes: [HTTP2Outcome] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
    }

    /// Closes before the turn of the loop ends, when the request has not left yet.
    func sendAndCloseAtOnce(_ request: HTTP2ClientRequest) async -> HTTP2Outcome {
        await withCheckedContinuation { continuation in
            guard let connection else { return continuation.resume(returning: .unsent(HTTP2Error(.closed, "none"))) }
            connection.send(request, deadline: .now + .seconds(5)) { continuation.resume(returning: $0) }
            connection.close()
        }
    }

    func tick(at now: MonotonicTime = .now) { connection?.tick(at: now) }
    func close() { connection?.close() }
    func drain() { connection?.drain() }

    /// Waits until `condition` holds for this client.
    func wait(until condition: @Sendable (isolated TestClient) -> Bool) async throws {
        while !condition(self) { try await loop.sleep(for: .milliseconds(2)) }
    }

    private func note(_ event: HTTP2ClientConnection.Event) {
        switch event {
        case .settings(let count): limits.append(count)
        case .goAway(let goAway): goAways.append(goAway)
        case .ended(let reason): end = reason
        }
    }
}

extension HTTP2Outcome {
    var response: HTTP2ClientResponse? {
        if case .answered(let response) = self { return response }
        return nil
    }

    var isUnsent: Bool {
        if case .unsent = self { return true }
        return false
    }

    var isUnknown: Bool {
        if case .unknown = self { return true }
        return false
    }
}
