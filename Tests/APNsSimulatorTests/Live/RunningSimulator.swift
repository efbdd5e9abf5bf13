import APNs
import Crypto
import HTTP2
import HTTPClient
import HTTPServer
import JSONText
import Runtime

@testable import APNsSimulator

/// A simulator on free ports, a Doorstep that only takes notes, and a sender.
struct RunningSimulator: Sendable {
    let loop: EventLoop
    let ports: SimulatorSettings.Ports
    let control: HTTPClient
    let sender: APNsClient
    let doorstep: NoteTaker
    /// The file with the authority to trust.
    let trust: String
    let signer: ES256PrivateKey

    /// Runs `body` with everything up, then takes it down.
    static func with(
        stateFile: String? = nil,
        _ body: @Sendable (RunningSimulator) async throws -> Void
    ) async throws {
        let loop = try EventLoop.start(name: "simulator-test")
        defer { loop.stop() }
        let authority = try CertificateAuthority.generate()
        let identity = try authority.issue()
        let key = try ES256PrivateKey.generate()
        let doorstep = NoteTaker()
        let server = HTTPServer(loop: loop, settings: HTTPServerSettings()) { doorstep.answer($0) }
        var settings = SimulatorSettings(
            certificatePEM: identity.certificatePEM,
            privateKeyPEM: identity.privateKeyPEM,
            apps: [.init(id: "demo", bundleID: SimulatedWorld.bundleID)],
            keys: [.init(id: SimulatedWorld.keyID, team: SimulatedWorld.team, publicKey: key.publicKey)]
        )
        settings.doorstep = .init(url: "http://127.0.0.1:\(try await server.start())", deviceKey: "dk_device_1_x")
        settings.stateFile = stateFile
        let simulator = Simulator(loop: loop, settings: settings)
        let ports = try await simulator.start()
        let trust = try ScratchFile(authority.certificatePEM)
        defer { trust.remove() }
        let sender = try APNsClient(
            loop: loop,
            endpoint: APNsEndpoint(host: "127.0.0.1", port: ports.sandbox, trust: .file(trust.path)),
            tokens: ProviderTokenSource(
                team: SimulatedWorld.team,
                key: ProviderKey(id: SimulatedWorld.keyID, privateKey: key)
            )
        )
        let running = RunningSimulator(
            loop: loop,
            ports: ports,
            control: HTTPClient(loop: loop, baseURL: "http://127.0.0.1:\(ports.control)", maxConnections: 4),
            sender: sender,
            doorstep: doorstep,
            trust: trust.path,
            signer: key
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await runAll([server, simulator, sender]) }
            try await body(running)
            group.cancelAll()
            try? await group.waitForAll()
        }
    }

    func ask(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        let response = try await control.send(method, path, body: body?.serialized() ?? [])
        return response.body.isEmpty ? .null : try JSON.parse(response.body)
    }

    /// A new phone's start token.
    func addPhone(_ id: String = "P1", _ more: JSONObject = [:]) async throws -> String {
        var phone = more
        phone["id"] = .string(id)
        _ = try await ask("POST", "/phones", .object(phone))
        return try await ask("GET", "/phones/\(id)")["tokens"]?["start"]?.stringValue ?? ""
    }

    /// One connection of its own to the sandbox, without the sender's manners.
    func connect() async throws -> RawSender {
        let origin = try HTTP2Origin(host: "127.0.0.1", port: ports.sandbox, trust: .file(trust))
        let sender = RawSender(loop: loop, origin: origin, authorization: try bearer())
        try await sender.connect()
        return sender
    }

    /// The value of an `authorization` header.
    func bearer() throws -> String {
        let header = #"{"alg":"ES256","kid":"\#(SimulatedWorld.keyID)"}"#
        let claims = #"{"iss":"\#(SimulatedWorld.team)","iat":\#(WallClock.seconds)}"#
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        return "bearer \(signed)." + Base64URL.encode(try signer.sign(Array(signed.utf8)))
    }

    func push(_ token: String, _ payload: JSON) async -> APNsOutcome {
        await sender.send(
            APNsRequest(
                token: token,
                topic: SimulatedWorld.topic,
                priority: .immediate,
                expiration: WallClock.seconds + 60,
                apnsID: UUID128.random().description,
                payload: payload.serialized()
            ),
            deadline: .seconds(2)
        )
    }

    /// Asks again until `condition` holds: what virtual apps do takes a moment.
    func eventually(_ condition: @Sendable () async throws -> Bool) async throws -> Bool {
        for _ in 0..<400 {
            if try await condition() { return true }
            try await loop.sleep(for: .milliseconds(10))
        }
        return false
    }
}

/// A Doorstep that remembers what apps told it; it refuses the first call, to see it repeated.
final class NoteTaker: Sendable {
    private struct State {
        var calls: [String] = []
        var refusals = 1
    }

    private let state = Locked(State())

    var calls: [String] { state.withLock { $0.calls } }

    func answer(_ request: HTTPRequest) -> HTTPResponse {
        state.withLock { state in
            guard request.headers.first("authorization") == "Bearer dk_device_1_x" else {
                return HTTPResponse(status: 401)
            }
            if state.refusals > 0 {
                state.refusals -= 1
                return HTTPResponse(status: 503)
            }
            state.calls.append("\(request.method) \(request.path)?\(request.query ?? "")")
            return HTTPResponse(status: 200, body: .bytes(Array("{}".utf8)))
        }
    }
}
