import APNs
import Crypto
import Glibc
import HTTP2
import Runtime

/// A scripted APNs on this machine: every request goes to a closure, with the server at hand for misbehaving.
struct FakeAPNs {
    let loop: EventLoop
    let server: HTTP2Server
    let endpoint: APNsEndpoint
    let record: Record

    /// What reached the server.
    final class Record: Sendable {
        struct Entry: Sendable {
            let connection: HTTP2ConnectionID
            let stream: Int32
            let path: String
            let authorization: String
            let id: String
        }

        private let entries = Locked<[Entry]>([])
        private let opened = Locked<[HTTP2ConnectionID]>([])
        private let told = Locked<[APNsConnectionEvent]>([])
        private let priority = Locked(0)

        var requests: [Entry] { entries.withLock { $0 } }
        var connections: [HTTP2ConnectionID] { opened.withLock { $0 } }
        /// How many priorities the client sent, which APNs forbids.
        var priorities: Int { priority.withLock { $0 } }
        /// What the client told about its connections.
        var clientEvents: [APNsConnectionEvent] { told.withLock { $0 } }
        var authorizations: Set<String> { Set(requests.map(\.authorization)) }

        func note(_ request: HTTP2Request) {
            let entry = Entry(
                connection: request.connection,
                stream: request.stream,
                path: request.path,
                authorization: request.headers["authorization"] ?? "",
                id: request.headers["apns-id"] ?? ""
            )
            entries.withLock { $0.append(entry) }
        }

        func note(_ event: APNsConnectionEvent) { told.withLock { $0.append(event) } }

        func note(_ event: HTTP2ConnectionEvent) {
            switch event {
            case .opened(let id, _): opened.withLock { $0.append(id) }
            case .priority: priority.withLock { $0 += 1 }
            case .certificate, .rejected, .oversized, .ping, .excessStream, .abandoned, .closed: break
            }
        }
    }

    typealias Script = @Sendable (HTTP2Request, FakeAPNs) async -> HTTP2Answer

    /// Starts the server and a client, runs `body` on the loop, and stops both.
    static func with<Value: Sendable>(
        streams: Int = 1000,
        settings: APNsClientSettings = APNsClientSettings(),
        clock: TestClock? = nil,
        script: @escaping Script = { _, _ in .ok },
        _ body: @escaping @Sendable (FakeAPNs, APNsClient) async throws -> Value
    ) async throws -> Value {
        let loop = try TestLoop.shared.get()
        let identity = try TestIdentity.shared.get()
        let record = Record()
        let fake = Locked<FakeAPNs?>(nil)
        let server = try HTTP2Server(
            loop: loop,
            settings: HTTP2ServerSettings(maxConcurrentStreams: streams),
            certificatePEM: identity.server.certificatePEM,
            privateKeyPEM: identity.server.privateKeyPEM,
            onEvent: { record.note($0) },
            handler: { request in
                record.note(request)
                guard let fake = fake.withLock({ $0 }) else { return .silence }
                return await script(request, fake)
            }
        )
        let port = try await server.start()
        let endpoint = APNsEndpoint(host: "127.0.0.1", port: port, trust: .file(identity.file.path))
        let made = FakeAPNs(loop: loop, server: server, endpoint: endpoint, record: record)
        fake.withLock { $0 = made }
        let client = try APNsClient(
            loop: loop,
            endpoint: endpoint,
            tokens: ProviderTokenSource(team: "TEAM123456", key: identity.key) { clock?.reading ?? .now },
            settings: settings,
            onConnection: { record.note($0) }
        )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask { try await client.run() }
            let value = try await withTaskExecutorPreference(loop.tasks) { try await body(made, client) }
            group.cancelAll()
            try await group.waitForAll()
            // The server's handler holds the box, and the box the server.
            fake.withLock { $0 = nil }
            return value
        }
    }
}

extension FakeAPNs {
    /// Runs a client for channels against this server while `body` runs.
    func withChannels(_ body: (APNsChannelClient) async throws -> Void) async throws {
        let key = try TestIdentity.shared.get().key
        let tokens = ProviderTokenSource(team: "TEAM123456", key: key)
        let channels = try APNsChannelClient(loop: loop, endpoint: endpoint, tokens: tokens)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await channels.run() }
            try await body(channels)
            group.cancelAll()
        }
    }
}

extension HTTP2Answer {
    static let ok = HTTP2Answer.reply(HTTP2Reply(status: 200))

    static func refusal(_ status: Int, _ reason: String, timestamp: Int64? = nil) -> HTTP2Answer {
        let more = timestamp.map { ",\"timestamp\":\($0)" } ?? ""
        return .reply(HTTP2Reply(status: status, body: Array("{\"reason\":\"\(reason)\"\(more)}".utf8)))
    }
}

extension APNsRequest {
    /// A sound push; `number` makes its id.
    static func test(_ number: Int = 0) -> APNsRequest {
        APNsRequest(
            token: String(repeating: "ab", count: 80),
            topic: "com.example.app.push-type.liveactivity",
            priority: .considerate,
            expiration: 1_790_000_000,
            apnsID: UUID128(hi: 0, lo: UInt64(number)).description,
            payload: Array("{\"aps\":{\"event\":\"update\"}}".utf8)
        )
    }
}

extension APNsOutcome {
    var answer: APNsAnswer? {
        if case .answered(let answer) = self { return answer }
        return nil
    }

    var unsentCode: APNsFailure.Code? {
        if case .unsent(let failure) = self { return failure.code }
        return nil
    }

    var unknownCode: APNsFailure.Code? {
        if case .unknown(let failure) = self { return failure.code }
        return nil
    }
}

extension APNsClient {
    /// Sends many pushes at once and returns how each ended.
    nonisolated func sendMany(_ count: Int, deadline: Duration = .seconds(60)) async -> [APNsOutcome] {
        await withTaskGroup(of: (Int, APNsOutcome).self) { group in
            for number in 0..<count {
                group.addTask(executorPreference: self.loop.tasks) {
                    (number, await self.send(.test(number), deadline: deadline))
                }
            }
            var outcomes = [APNsOutcome?](repeating: nil, count: count)
            for await (number, outcome) in group { outcomes[number] = outcome }
            return outcomes.compactMap(\.self)
        }
    }
}

extension APNsClientSettings {
    static var oneConnection: APNsClientSettings {
        var settings = APNsClientSettings()
        settings.maxConnections = 1
        return settings
    }
}

/// Both clocks, moved by hand.
final class TestClock: Sendable {
    private let current = Locked(ClockReading(wallSeconds: 1_790_000_000, monotonic: MonotonicTime(nanoseconds: 0)))

    var reading: ClockReading { current.withLock { $0 } }

    func advance(minutes: Int64) {
        current.withLock { clock in
            clock.wallSeconds += minutes * 60
            clock.monotonic = clock.monotonic + .seconds(minutes * 60)
        }
    }
}

/// One loop for all tests: tasks may outlive the test that began them, and must find their executor alive.
enum TestLoop {
    static let shared = Result { try EventLoop.start(name: "test") }
}

/// A server's certificate, the file that trusts it, and a provider's key; made once.
struct TestIdentity: Sendable {
    static let shared = Result { try TestIdentity() }

    let server: TLSIdentity
    let file: TemporaryFile
    let key: ProviderKey

    private init() throws {
        let authority = try CertificateAuthority.generate()
        server = try authority.issue()
        file = try TemporaryFile(authority.certificatePEM)
        key = ProviderKey(id: "KEY1234567", privateKey: try .generate())
    }
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
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { text += buffer.prefix(count) }
        return String(decoding: text, as: UTF8.self)
    }
}
