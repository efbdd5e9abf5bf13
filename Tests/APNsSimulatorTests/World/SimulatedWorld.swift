import Crypto
import JSONText
import Runtime

@testable import APNsSimulator

/// A world with one app, one key and a clock that tests turn; seeds make it the same every time.
struct SimulatedWorld {
    static let bundleID = "app.doorstep.demo"
    static let topic = bundleID + ".push-type.liveactivity"
    static let team = "TEAM000001"
    static let keyID = "KEY0000001"

    let signer: ES256PrivateKey
    var world: World
    var now = Moment(wall: 1_800_000_000_000_000, phone: 1_800_000_000_000_000)
    var token: String

    init(preset: Preset = .docs, log: RequestLog = RequestLog()) throws {
        signer = try ES256PrivateKey.generate()
        var settings = SimulatorSettings(
            certificatePEM: "",
            privateKeyPEM: "",
            apps: [.init(id: "demo", bundleID: Self.bundleID), .init(id: "other", bundleID: "app.doorstep.other")],
            keys: [.init(id: Self.keyID, team: Self.team, publicKey: signer.publicKey)],
            seed: 7
        )
        settings.preset = preset
        world = World(settings, log: log)
        token = ""
        token = try bearer()
    }

    var seconds: Int64 { now.wall / 1_000_000 }

    /// Lets time pass on both clocks.
    mutating func pass(seconds: Int64) {
        now.wall += seconds * 1_000_000
        now.phone += seconds * 1_000_000
    }

    // MARK: - Provider tokens

    func bearer(
        key: ES256PrivateKey? = nil,
        keyID: String = SimulatedWorld.keyID,
        team: String = SimulatedWorld.team,
        age: Int64 = 0,
        isDER: Bool = false
    ) throws -> String {
        let header = #"{"alg":"ES256","kid":"\#(keyID)"}"#
        return try bearer(header, #"{"iss":"\#(team)","iat":\#(seconds - age)}"#, key: key, isDER: isDER)
    }

    func bearer(
        _ header: String,
        _ claims: String,
        key: ES256PrivateKey? = nil,
        isDER: Bool = false
    ) throws -> String {
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        let signature = try (key ?? signer).sign(Array(signed.utf8))
        return "bearer " + signed + "." + Base64URL.encode(isDER ? Self.der(signature) : signature)
    }

    /// The other form of a signature (RFC 3279, section 2.2.3).
    private static func der(_ signature: [UInt8]) -> [UInt8] {
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            let digits = Array(bytes.drop { $0 == 0 })
            let content = (digits.first ?? 0x80) >= 0x80 ? [0] + digits : digits
            return [2, UInt8(content.count)] + content
        }
        let content = integer(signature[..<32]) + integer(signature[32...])
        return [0x30, UInt8(content.count)] + content
    }

    // MARK: - Phones

    @discardableResult
    mutating func addPhone(
        _ id: String = "P1",
        preset: Preset? = nil,
        environment: PushEnvironment = .sandbox,
        os: String = "26.0",
        prompt: Prompt = .allowed
    ) -> Int {
        var order = PhoneOrder(id: id, customer: "C1", app: 0, preset: preset ?? world.defaultPreset)
        order.environment = environment
        order.os = os
        order.prompt = prompt
        _ = world.add(order, at: now)
        return world.phones.count - 1
    }

    var phone: Phone { world.phones[0] }
    var card: Card { world.phones[0].cards[0] }

    mutating func perform(
        _ action: World.Action,
        _ options: World.ActionOptions = World.ActionOptions(),
        on phone: Int = 0
    ) {
        world.perform(action, on: phone, options, at: now)
    }

    /// What the phones' apps tell, as long as Doorstep answers 200 to each.
    mutating func takeCalls() -> [DoorstepCall] {
        var calls: [DoorstepCall] = []
        while true {
            let callers = world.takeCallers()
            guard !callers.isEmpty else { return calls }
            for caller in callers {
                guard let call = world.nextCall(of: caller, at: now) else { continue }
                calls.append(call)
                _ = world.finished(call, status: 200, body: [], at: now)
            }
        }
    }

    // MARK: - Requests

    /// Sends with the headers of a good request, save those that are replaced or, with nil, left out.
    @discardableResult
    mutating func send(
        to token: String,
        _ body: JSON,
        method: String = "POST",
        path: String? = nil,
        headers: [String: String?] = [:],
        connection: UInt64 = 1,
        environment: PushEnvironment = .sandbox
    ) -> PushReply {
        send(
            path: path ?? "/3/device/\(token)",
            method: method,
            headers: headers,
            body: body.serialized(),
            connection: connection,
            environment: environment
        )
    }

    mutating func send(
        path: String,
        method: String = "POST",
        headers: [String: String?] = [:],
        body: [UInt8],
        connection: UInt64 = 1,
        environment: PushEnvironment = .sandbox
    ) -> PushReply {
        var all: [String: String] = [
            "authorization": token,
            "apns-topic": Self.topic,
            "apns-push-type": "liveactivity",
            "apns-priority": "10",
            "apns-expiration": String(seconds + 300),
            "apns-id": "0d8b2c1e-0f5c-4c0c-9a51-5bb3d3c1c001",
        ]
        for (name, value) in headers { all[name] = value }
        let request = PushRequest(
            method: method,
            path: path,
            headers: all.map { PushRequest.Header($0.key, $0.value) },
            body: body
        )
        return world.receive(request, on: World.ConnectionKey(environment: environment, id: connection), at: now)
    }

    @discardableResult
    mutating func start(_ aps: [String: JSON?] = [:], on phone: Int = 0, order: String = "O1") -> PushReply {
        send(to: world.phones[phone].startToken.value, Self.start(at: seconds, order: order, aps))
    }

    /// An update or end to the newest card.
    @discardableResult
    mutating func change(
        _ event: String,
        _ aps: [String: JSON?] = [:],
        on phone: Int = 0,
        priority: Int = 10
    ) -> PushReply {
        guard let card = world.phones[phone].cards.last else { preconditionFailure("no card yet") }
        var members: [String: JSON?] = [
            "event": .string(event), "timestamp": .integer(seconds), "content-state": Self.state(),
        ]
        members.merge(aps) { $1 }
        return send(to: card.updateToken, Self.payload(members), headers: ["apns-priority": "\(priority)"])
    }

    var lastVerdict: Verdict? { world.log[world.log.lastSequence]?.verdict }

    // MARK: - Payloads

    static func start(at seconds: Int64, order: String = "O1", _ aps: [String: JSON?] = [:]) -> JSON {
        var members: [String: JSON?] = [
            "event": "start",
            "timestamp": .integer(seconds),
            "attributes-type": "DoorstepAttributes",
            "attributes": attributes(order: order),
            "content-state": state(),
            "alert": ["title": "On the way", "body": "Your order is on the way"],
        ]
        members.merge(aps) { $1 }
        return payload(members)
    }

    static func payload(_ aps: [String: JSON?]) -> JSON {
        let members = aps.compactMap { member in member.value.map { JSONObject.Member(name: member.key, value: $0) } }
        return ["aps": .object(JSONObject(members))]
    }

    static func attributes(order: String = "O1", incarnation: Int = 1) -> JSON {
        [
            "order": .string(order), "incarnation": .integer(incarnation), "displayNumber": nil,
            "restaurant": "Trattoria",
            "promisedAt": nil,
        ]
    }

    static func state(phase: String = "on_the_way", revision: Int = 3) -> JSON {
        [
            "phase": .string(phase), "eta": nil, "late": false, "stale": false, "courier": nil, "attemptFailed": false,
            "pendingCommand": nil, "asOf": 1_800_000_000, "revision": .integer(revision),
        ]
    }
}
