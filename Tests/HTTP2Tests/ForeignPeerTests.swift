import Crypto
import Glibc
import HTTP2
import Runtime
import Testing

/// Others' programs as peers: what they understand is HTTP/2, not just our reading of it.
@Suite(.serialized) struct ForeignPeerTests {
    @Test(.enabled(if: isInstalled("nghttpd"))) func `our client talks to nghttpd`() async throws {
        let identity = try Identity()
        let loop = try TestLoop.shared.get()
        let port = try freePort()
        let server = try await ChildProcess.start(
            Program(
                "nghttpd",
                ["-a", "127.0.0.1", "--echo-upload", "\(port)", identity.key.path, identity.certificate.path]
            ),
            on: loop
        )
        let origin = try HTTP2Origin(host: "127.0.0.1", port: port, trust: .file(identity.authority.path))
        let client = try TestClient(loop: loop, origin: origin)
        try await connect(client, on: loop)
        let outcomes = await client.sendMany(200, body: [UInt8](repeating: 65, count: 500))
        #expect(outcomes.count { $0.response?.status == 200 } == 200)
        #expect(outcomes.allSatisfy { $0.response?.body.count == 500 })
        await client.close()
        _ = await server.stop(grace: .seconds(2))
    }

    @Test(.enabled(if: isInstalled("openssl")), arguments: [[], ["-alpn", "http/1.1"]])
    func `rule 1: TLS without h2 is refused with its cause`(offer: [String]) async throws {
        // P15: one typed error.
        let identity = try Identity()
        let loop = try TestLoop.shared.get()
        let port = try freePort()
        let server = try await ChildProcess.start(
            Program(
                "openssl",
                ["s_server", "-www", "-accept", "127.0.0.1:\(port)"] + offer
                    + ["-key", identity.key.path, "-cert", identity.certificate.path]
            ),
            on: loop
        )
        let origin = try HTTP2Origin(host: "127.0.0.1", port: port, trust: .file(identity.authority.path))
        let client = try TestClient(loop: loop, origin: origin)
        await #expect(
            performing: { try await connect(client, on: loop) },
            throws: { hasCode($0, .notHTTP2) }
        )
        _ = await server.stop(grace: .seconds(2))
    }

    @Test(.enabled(if: isInstalled("nghttp"))) func `nghttp talks to our server`() async throws {
        let requests = Locked(0)
        try await Loopback.with { request in
            requests.withLock { $0 += 1 }
            return .reply(HTTP2Reply(status: request.path == "/hello" ? 200 : 404, body: Array("hello".utf8)))
        } _: { loopback in
            let output = try TemporaryFile("")
            let program = Program(
                "nghttp",
                ["--no-verify-peer", "https://127.0.0.1:\(loopback.port)/hello"],
                logFile: output.path
            )
            let exit = try await ChildProcess.start(program, on: loopback.loop).waitForExit()
            #expect(exit == .code(0))
            #expect(try output.text() == "hello")
        }
        #expect(requests.withLock { $0 } == 1)
    }

    @Test(.enabled(if: isInstalled("h2load"))) func `h2load puts ten thousand requests through our server`()
        async throws
    {
        let requests = Locked(0)
        try await Loopback.with { _ in
            requests.withLock { $0 += 1 }
            return .reply(HTTP2Reply(status: 200))
        } _: { loopback in
            let output = try TemporaryFile("")
            let body = try TemporaryFile(String(repeating: "x", count: 500))
            let program = Program(
                "h2load",
                [
                    "-n", "10000", "-c", "4", "-m", "100", "-d", body.path,
                    "https://127.0.0.1:\(loopback.port)/3/device/ab",
                ],
                logFile: output.path
            )
            let exit = try await ChildProcess.start(program, on: loopback.loop).waitForExit()
            #expect(exit == .code(0))
            #expect(try output.text().contains("10000 succeeded, 0 failed"))
        }
        #expect(requests.withLock { $0 } == 10_000)
    }

    /// Connects to a program that was just started and may not listen yet.
    private func connect(_ client: TestClient, on loop: EventLoop) async throws {
        for _ in 0..<200 {
            do {
                return try await client.connect()
            } catch {
                guard hasCode(error, .unreachable) else { throw error }
            }
            try await loop.sleep(for: .milliseconds(20))
        }
        throw HTTP2Error(.unreachable, "the program never listened")
    }

    private struct Identity {
        let authority: TemporaryFile
        let certificate: TemporaryFile
        let key: TemporaryFile

        init() throws {
            let issuer = try CertificateAuthority.generate()
            let leaf = try issuer.issue()
            authority = try TemporaryFile(issuer.certificatePEM)
            certificate = try TemporaryFile(leaf.certificatePEM)
            key = try TemporaryFile(leaf.privateKeyPEM)
        }
    }
}

/// A port that was free a moment ago.
private func freePort() throws -> Int {
    let listener = try Socket.listen(host: "127.0.0.1", port: 0)
    return Socket.localAddress(of: listener).port
}

private func isInstalled(_ program: String) -> Bool {
    ["/usr/bin", "/usr/sbin", "/usr/local/bin"].contains { access("\($0)/\(program)", X_OK) == 0 }
}
