import Crypto
import Glibc
import JSONText
import Runtime
import Testing

@testable import APNsSimulator

/// Others' programs as senders: what they are told is what they would be told by APNs.
@Suite(.serialized) struct ForeignClientTests {
    private static let bundlePath = "/1/apps/\(SimulatedWorld.bundleID)"

    @Test(.enabled(if: isInstalled("curl"), "foreign client curl"))
    func `behaviour 1: curl pushes, and is refused over HTTP/1.1 and TLS 1.1`() async throws {
        try await RunningSimulator.with { running in
            let token = try await running.addPhone()
            let body = try ScratchFile(SimulatedWorld.start(at: WallClock.seconds).text)
            defer { body.remove() }
            func push(_ token: String, _ options: [String]) async throws -> (exit: ChildProcess.Exit, output: String) {
                try await running.run(
                    "curl",
                    ["--silent", "--include", "--cacert", running.trust, "--data-binary", "@\(body.path)"] + options
                        + running.headers().flatMap { ["--header", $0] }
                        + ["https://127.0.0.1:\(running.ports.sandbox)/3/device/\(token)"]
                )
            }
            let accepted = try await push(token, ["--http2"])
            #expect(accepted.output.hasPrefix("HTTP/2 200"))
            #expect(accepted.output.contains("apns-id: "))
            let unknown = try await push(String(repeating: "0", count: 64), ["--http2"])
            #expect(unknown.output.hasPrefix("HTTP/2 400"))
            #expect(unknown.output.hasSuffix(#"{"reason":"BadDeviceToken"}"#))
            let large = String(repeating: "x", count: 8000)
            let oversized = try await push(token, ["--http2", "-H", "x-large: \(large)"])
            #expect(oversized.output.hasPrefix("HTTP/2 431"))
            #expect(try await running.ask("GET", "/violations")["counts"]?["oversizedFields"]?.int64Value == 1)
            let old = try await push(token, ["--http1.1"])
            #expect(old.exit != .code(0))
            let oldest = try await push(token, ["--http2", "--tls-max", "1.1"])
            #expect(oldest.exit != .code(0))
            #expect(try await running.ask("GET", "/phones/P1")["cards"]?.arrayValue?.count == 1)
        }
    }

    @Test(.enabled(if: isInstalled("curl"), "foreign client curl"))
    func `behaviour 23: curl with a certificate is refused`() async throws {
        try await RunningSimulator.with { running in
            let token = try await running.addPhone()
            let identity = try CertificateAuthority.generate().issue()
            let certificate = try ScratchFile(identity.certificatePEM)
            let key = try ScratchFile(identity.privateKeyPEM)
            defer {
                certificate.remove()
                key.remove()
            }
            let pushed = try await running.run(
                "curl",
                ["--silent", "--include", "--http2", "--cacert", running.trust, "--data", #"{"aps":{}}"#]
                    + ["--cert", certificate.path, "--key", key.path]
                    + running.headers().flatMap { ["--header", $0] }
                    + ["https://127.0.0.1:\(running.ports.sandbox)/3/device/\(token)"]
            )
            #expect(pushed.output.hasPrefix("HTTP/2 403"))
            #expect(pushed.output.hasSuffix(#"{"reason":"BadCertificate"}"#))
            #expect(try await running.ask("GET", "/connections")["items"]?[0]?["certificate"] == true)
        }
    }

    @Test(.enabled(if: isInstalled("curl"), "foreign client curl"))
    func `curl makes a channel and broadcasts`() async throws {
        try await RunningSimulator.with { running in
            let made = try await running.run(
                "curl",
                ["--silent", "--include", "--http2", "--cacert", running.trust]
                    + ["--header", "authorization: \(try running.bearer())"]
                    + ["--data", #"{"message-storage-policy": 1, "push-type": "LiveActivity"}"#]
                    + ["https://127.0.0.1:\(running.ports.sandboxManagement)\(Self.bundlePath)/channels"]
            )
            #expect(made.output.hasPrefix("HTTP/2 201"))
            let listed = try await running.ask("GET", "/channels")["items"]?[0]?["id"]?.stringValue
            let channel = try #require(listed)
            #expect(made.output.contains("apns-channel-id: \(channel)"))
            let sent = try await running.run(
                "curl",
                ["--silent", "--include", "--http2", "--cacert", running.trust]
                    + (try running.headers(isBroadcast: true) + ["apns-channel-id: \(channel)"])
                    .flatMap { ["--header", $0] }
                    + ["--data", #"{"aps":{}}"#]
                    + [
                        "https://127.0.0.1:\(running.ports.sandbox)/4/broadcasts/apps/\(SimulatedWorld.bundleID)"
                    ]
            )
            #expect(sent.output.hasPrefix("HTTP/2 200"))
            #expect(sent.output.contains("apns-request-id: "))
        }
    }

    @Test(.enabled(if: isInstalled("nghttp"), "foreign client nghttp"))
    func `behaviour 6: nghttp pushes, and its PRIORITY frames are ignored and noted`() async throws {
        try await RunningSimulator.with { running in
            let token = try await running.addPhone()
            let body = try ScratchFile(SimulatedWorld.start(at: WallClock.seconds).text)
            defer { body.remove() }
            let pushed = try await running.run(
                "nghttp",
                ["--stat", "--no-verify-peer", "--data", body.path]
                    + running.headers().flatMap { ["--header", $0] }
                    + ["https://127.0.0.1:\(running.ports.sandbox)/3/device/\(token)"]
            )
            #expect(pushed.exit == .code(0))
            #expect(try await running.ask("GET", "/phones/P1")["cards"]?.arrayValue?.count == 1)
            let counts = try await running.ask("GET", "/violations")["counts"]
            #expect((counts?["priorityFrame"]?.int64Value ?? 0) > 0)
        }
    }

    @Test(.enabled(if: isInstalled("h2load"), "foreign client h2load"))
    func `h2load puts two thousand pushes through`() async throws {
        try await RunningSimulator.with { running in
            let token = try await running.addPhone()
            // It may not wait for the SETTINGS, and its first streams beyond one would be refused.
            _ = try await running.ask("POST", "/settings", ["requestBurst": 5000, "untrustedStreams": 100])
            let body = try ScratchFile(#"{"aps":{}}"#)
            defer { body.remove() }
            let load = try await running.run(
                "h2load",
                ["-n", "2000", "-c", "4", "-m", "100", "--data", body.path]
                    + running.headers().flatMap { ["--header", $0] }
                    + ["https://127.0.0.1:\(running.ports.sandbox)/3/device/\(token)"]
            )
            #expect(load.exit == .code(0))
            #expect(load.output.contains("2000 succeeded, 0 failed"))
            let totals = try await running.ask("GET", "/summary?limit=1")["totals"]
            #expect(totals?["accepted"]?["unknown"] == 2000)
        }
    }

    @Test(.enabled(if: python != nil, "foreign client httpx"))
    func `httpx pushes, makes channels and broadcasts`() async throws {
        try await RunningSimulator.with { running in
            let token = try await running.addPhone()
            let body = try ScratchFile(SimulatedWorld.start(at: WallClock.seconds).text)
            defer { body.remove() }
            let said = try await running.runPython(
                "httpx_push.py",
                [
                    "\(running.ports.sandbox)", "\(running.ports.sandboxManagement)", running.trust,
                    try running.bearer(), SimulatedWorld.topic, SimulatedWorld.bundleID, token, body.path,
                ]
            )
            #expect(
                said == [
                    "200", "400 BadDeviceToken", "400 BadPriority", "403 InvalidProviderToken",
                    "400 DeviceTokenNotForTopic", "405 MethodNotAllowed", "201", "200", "200", "204",
                    "400 ChannelNotRegistered",
                ]
            )
        }
    }

    @Test(.enabled(if: python != nil, "foreign client aioapns"))
    func `aioapns pushes and understands the refusals`() async throws {
        try await RunningSimulator.with { running in
            let token = try await running.addPhone()
            _ = try await running.ask("POST", "/settings", ["requestBurst": 100])
            let body = try ScratchFile(SimulatedWorld.start(at: WallClock.seconds).text)
            let key = try ScratchFile(try running.signer.pem())
            defer {
                body.remove()
                key.remove()
            }
            let said = try await running.runPython(
                "aioapns_push.py",
                [
                    "\(running.ports.sandbox)", running.trust, key.path, SimulatedWorld.keyID, SimulatedWorld.team,
                    SimulatedWorld.topic, token, body.path,
                ]
            )
            let first = ["200", "400 BadDeviceToken", "400 TopicDisallowed", "413 PayloadTooLarge"]
            #expect(said == first + Array(repeating: "200", count: 5))
        }
    }
}

extension RunningSimulator {
    /// The headers of a good request.
    fileprivate func headers(isBroadcast: Bool = false) throws -> [String] {
        let topic = isBroadcast ? [] : ["apns-topic: \(SimulatedWorld.topic)"]
        return topic + [
            "authorization: \(try bearer())", "apns-push-type: liveactivity", "apns-priority: 10", "apns-expiration: 0",
        ]
    }

    fileprivate func run(
        _ program: String,
        _ arguments: [String]
    ) async throws -> (exit: ChildProcess.Exit, output: String) {
        let output = try ScratchFile()
        defer { output.remove() }
        let child = try await ChildProcess.start(Program(program, arguments, logFile: output.path), on: loop)
        let exit = await child.waitForExit()
        return (exit, try output.text())
    }

    /// The lines that a script of Tests/Foreign printed.
    fileprivate func runPython(_ script: String, _ arguments: [String]) async throws -> [String] {
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let (exit, output) = try await run(python ?? "", ["/\(folder)/Foreign/\(script)"] + arguments)
        #expect(exit == .code(0), "\(output)")
        return output.split(separator: "\n").map { line in
            String(line.last == " " ? line.dropLast() : line)
        }
    }
}

extension JSON {
    fileprivate var text: String { String(decoding: serialized(), as: UTF8.self) }
}

/// The interpreter with others' clients, which deploy/install-test-tools.sh names.
private var python: String? {
    guard let path = getenv("DOORSTEP_PYTHON").map({ String(cString: $0) }), access(path, X_OK) == 0 else { return nil }
    return path
}

private func isInstalled(_ program: String) -> Bool {
    ["/usr/bin", "/usr/sbin", "/usr/local/bin"].contains { access("\($0)/\(program)", X_OK) == 0 }
}
