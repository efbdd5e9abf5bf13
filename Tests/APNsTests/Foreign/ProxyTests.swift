import APNs
import HTTP2
import Runtime
import Testing

/// The client behind a proxy.
@Suite(.serialized, .enabled(if: ForeignProgram.isInstalled("python3"), "needs Python"))
struct ProxyTests {
    private static let authorization = "Basic dXNlcjpwYXNz"

    private func with(
        _ arguments: [String] = [],
        authorization: String? = nil,
        connectLimit: Duration = .seconds(60),
        _ body: @escaping @Sendable (FakeAPNs, APNsClient) async throws -> Void
    ) async throws -> [Substring] {
        let loop = try TestLoop.shared.get()
        let script = ForeignProgram.script("connect_proxy.py")
        return try await ForeignProgram.with("python3", [script] + arguments, on: loop) { proxy in
            let address = HTTP2Proxy(
                host: "127.0.0.1",
                port: try await proxy.port(on: loop),
                authorization: authorization
            )
            var settings = APNsClientSettings()
            settings.proxy = address
            settings.connectLimit = connectLimit
            try await FakeAPNs.with(settings: settings) { fake, client in try await body(fake, client) }
            return try proxy.lines.filter { !$0.hasPrefix("listening") }
        }
    }

    @Test func `pushes go through the proxy, encrypted to APNs itself`() async throws {
        let ports = Locked<[Int]>([])
        let lines = try await with(["--authorization", Self.authorization], authorization: Self.authorization) {
            fake,
            client in
            ports.withLock { $0.append(fake.endpoint.port) }
            #expect(await client.sendMany(100).allSatisfy { $0.answer?.status == 200 })
        }
        #expect(lines == ["CONNECT 127.0.0.1:\(ports.withLock { $0.first ?? 0 }) HTTP/1.1 200"])
    }

    @Test func `a proxy that refuses is named as the cause`() async throws {
        let lines = try await with(["--authorization", Self.authorization]) { _, client in
            guard case .unsent(let failure) = await client.send(.test(), deadline: .seconds(60)) else {
                Issue.record("sent")
                return
            }
            #expect(failure.code == .misconfigured)
            #expect(failure.detail == "proxyRefused: HTTP/1.1 407 Proxy Authentication Required")
        }
        #expect(lines.count == 1)
    }

    @Test func `a proxy that does not answer is given up in time`() async throws {
        _ = try await with(["--silent"], connectLimit: .milliseconds(200)) { _, client in
            #expect(await client.send(.test(), deadline: .seconds(60)).unsentCode == .unreachable)
        }
    }
}
