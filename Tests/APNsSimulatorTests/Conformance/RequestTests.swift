import Crypto
import HTTP2
import JSONText
import Testing

@testable import APNsSimulator

@Suite struct RequestTests {
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        simulated.addPhone()
    }

    private mutating func reason(
        _ headers: [String: String?] = [:],
        method: String = "POST",
        path: String? = nil,
        body: JSON? = nil
    ) -> String? {
        let body = body ?? SimulatedWorld.start(at: simulated.seconds)
        let token = simulated.phone.startToken.value
        return simulated.send(to: token, body, method: method, path: path, headers: headers).refusal?.reason
    }

    @Test mutating func `behaviour 16: a good request is answered 200 with its own id`() {
        let reply = simulated.start()
        #expect(reply.refusal == nil)
        #expect(reply.apnsID.description == "0d8b2c1e-0f5c-4c0c-9a51-5bb3d3c1c001")
        #expect(reply.uniqueID != nil)
    }

    @Test(arguments: [
        ("GET", "/3/device/ab", "MethodNotAllowed"),
        ("GET", "/nonsense", "MethodNotAllowed"),
        ("POST", "/nonsense", "BadPath"),
        ("POST", "/3/devices/ab", "BadPath"),
        ("POST", "/3/device/ab/cd", "BadPath"),
        ("POST", "/3/device/", "MissingDeviceToken"),
        ("POST", "/3/device", "MissingDeviceToken"),
        ("POST", "/3/device/xyzw", "BadDeviceToken"),
        ("POST", "/3/device/abc", "BadDeviceToken"),
        ("POST", "/3/device/abcd", "BadDeviceToken"),
    ])
    mutating func `behaviour 8: method, path and token are judged in this order`(
        method: String,
        path: String,
        expected: String
    ) {
        #expect(reason(method: method, path: path) == expected)
    }

    @Test(
        arguments: [
            ("apns-topic", nil, "MissingTopic"),
            ("apns-topic", "app.unknown.push-type.liveactivity", "TopicDisallowed"),
            ("apns-topic", SimulatedWorld.bundleID, "DeviceTokenNotForTopic"),
            ("apns-topic", "app.doorstep.other.push-type.liveactivity", "DeviceTokenNotForTopic"),
            ("apns-push-type", "liveActivity", "InvalidPushType"),
            ("apns-push-type", "alert", "DeviceTokenNotForTopic"),
            ("apns-priority", "7", "BadPriority"),
            ("apns-priority", "", "BadPriority"),
            ("apns-expiration", "-1", "BadExpirationDate"),
            ("apns-expiration", "1.5", "BadExpirationDate"),
            ("apns-expiration", "+1", "BadExpirationDate"),
            ("apns-id", "0d8b2c1e0f5c4c0c9a515bb3d3c1c001", "BadMessageId"),
            ("apns-collapse-id", "", "BadCollapseId"),
            ("apns-collapse-id", String(repeating: "é", count: 33), "BadCollapseId"),
            ("authorization", nil, "MissingProviderToken"),
        ] as [(String, String?, String)]
    )
    mutating func `behaviours 10 to 14: a bad header is refused with Apple's word`(
        name: String,
        value: String?,
        expected: String
    ) {
        #expect(reason([name: value]) == expected)
    }

    @Test mutating func `when everything is wrong the first rule speaks`() {
        let steps: [(name: String, wrong: String?, word: String)] = [
            ("authorization", nil, "MissingProviderToken"), ("apns-id", "x", "BadMessageId"),
            ("apns-topic", nil, "MissingTopic"), ("apns-push-type", "x", "InvalidPushType"),
            ("apns-priority", "x", "BadPriority"), ("apns-expiration", "x", "BadExpirationDate"),
            ("apns-collapse-id", "", "BadCollapseId"),
        ]
        var wrong = Dictionary(uniqueKeysWithValues: steps.map { ($0.name, $0.wrong) })
        for step in steps {
            #expect(reason(wrong, path: "/3/device/nonsense") == step.word)
            wrong[step.name] = nil
        }
        #expect(reason(path: "/3/device/nonsense") == "BadDeviceToken")
    }

    @Test mutating func `a token that nobody has tells whether key and topic are right`() {
        let path = "/3/device/" + String(repeating: "0", count: 64)
        #expect(reason(path: path) == "BadDeviceToken")
        #expect(simulated.world.totals.refused == ["BadDeviceToken": 1])
        #expect(simulated.world.violations.total == 0)
        #expect(reason(["authorization": "bearer x"], path: path) == "InvalidProviderToken")
        #expect(reason(["apns-topic": "app.unknown.push-type.liveactivity"], path: path) == "TopicDisallowed")
    }

    @Test mutating func `behaviour 10: an ordinary token wants the bare bundle id, a live one the suffix`() {
        let token = simulated.phone.deviceToken
        let alert: JSON = ["aps": ["alert": "Your courier is here"]]
        let bare: [String: String?] = ["apns-topic": SimulatedWorld.bundleID, "apns-push-type": "alert"]
        #expect(simulated.send(to: token, alert).refusal?.reason == "DeviceTokenNotForTopic")
        #expect(simulated.send(to: token, alert, headers: bare).refusal == nil)
        #expect(simulated.lastVerdict == .notified)
    }

    @Test mutating func `behaviours 1 and 9: a token of the other environment is a bad token`() {
        let token = simulated.phone.startToken.value
        let reply = simulated.send(to: token, SimulatedWorld.start(at: simulated.seconds), environment: .production)
        #expect(reply.refusal == Refusal(.badDeviceToken))
        #expect(reply.uniqueID == nil)
        #expect(simulated.world.violations.counts == [.refusedRequest: 1])
        for nonsense in ["abc", "xyzw"] { simulated.send(to: nonsense, [:]) }
        #expect(simulated.world.violations.counts == [.refusedRequest: 3])
    }

    @Test mutating func `behaviour 15: 4096 bytes pass, one more is 413, none is 400`() {
        let path = "/3/device/\(simulated.phone.startToken.value)"
        let most = simulated.send(path: path, body: [UInt8](repeating: 0x20, count: 4096))
        let more = simulated.send(path: path, body: [UInt8](repeating: 0x20, count: 4097))
        let none = simulated.send(path: path, body: [])
        #expect(most.refusal == nil)
        #expect(more.refusal == Refusal(.payloadTooLarge))
        #expect(more.refusal?.status == 413)
        #expect(none.refusal == Refusal(.payloadEmpty))
        #expect(simulated.world.totals.oversizedPayloads == 1)
    }

    @Test mutating func `behaviour 14: a repeated header is refused`() {
        var headers = ["apns-topic", "apns-topic"].map { PushRequest.Header($0, SimulatedWorld.topic) }
        headers.append(PushRequest.Header("authorization", simulated.token))
        let request = PushRequest(path: "/3/device/\(simulated.phone.startToken.value)", headers: headers, body: [1])
        let key = World.ConnectionKey(environment: .sandbox, id: 1)
        #expect(simulated.world.receive(request, on: key, at: simulated.now).refusal == Refusal(.duplicateHeaders))
    }

    @Test mutating func `behaviours 12 to 14: what Apple lets pass is accepted and noted`() {
        let lax: [String: String?] = [
            "apns-push-type": nil, "apns-priority": nil, "apns-expiration": nil,
            "apns-id": "0D8B2C1E-0F5C-4C0C-9A51-5BB3D3C1C001",
        ]
        #expect(reason(lax) == nil)
        let rules: [Violation.Rule] = [
            .missingPushType, .missingPriority, .missingExpiration, .upperCaseMessageID,
        ]
        #expect(rules.allSatisfy { simulated.world.violations.counts[$0] == 1 })
    }

    @Test mutating func `behaviour 9: upper-case hex names the same token`() {
        let path = "/3/device/\(simulated.phone.startToken.value.uppercased())"
        #expect(reason(path: path) == nil)
    }

    @Test mutating func `behaviour 17: content is not APNs' business`() {
        #expect(reason(body: ["aps": ["event": "start", "content-state": 5]]) == nil)
        #expect(simulated.lastVerdict == .malformed)
    }

    @Test mutating func `behaviour 9: tokens of any even length are looked up, and unknown ones are bad`() {
        for digits in [2, 64, 160, 200] {
            #expect(reason(path: "/3/device/" + String(repeating: "a", count: digits)) == "BadDeviceToken")
        }
    }

    @Test mutating func `behaviour 11: an unknown topic has either word`() {
        let topic: [String: String?] = ["apns-topic": "app.unknown.push-type.liveactivity"]
        #expect(reason(topic) == "TopicDisallowed")
        simulated.world.knobs.requests.unknownTopic = .badTopic
        #expect(reason(topic) == "BadTopic")
    }

    @Test mutating func `behaviour 12: without a push type a push is delivered, or dropped by the knob`() {
        let none: [String: String?] = ["apns-push-type": nil]
        #expect(reason(none) == nil)
        simulated.world.knobs.requests.dropsWithoutPushType = true
        #expect(reason(none) == nil)
        #expect(simulated.phone.cards.count == 1)
        #expect(simulated.world.totals.accepted[.start] == 2)
    }

    @Test mutating func `behaviour 13: priority 1 is accepted and noted, or refused by the knob`() {
        #expect(reason(["apns-priority": "1"]) == nil)
        #expect(simulated.world.violations.counts[.priorityOne] == 1)
        simulated.world.knobs.requests.refusesPriorityOne = true
        #expect(reason(["apns-priority": "1"]) == "BadPriority")
    }

    @Test mutating func `behaviour 13: without a priority it is 10`() {
        #expect(reason(["apns-priority": nil]) == nil)
        #expect(simulated.world.log[1]?.priority == 10)
    }

    @Test mutating func `behaviour 16: without an id one is made, on refusals too`() {
        let token = simulated.phone.startToken.value
        let ids = (0..<2).map { _ in
            simulated.send(to: token, [:], headers: ["apns-id": nil, "apns-topic": nil]).apnsID
        }
        #expect(Set(ids).count == 2)
        #expect(HTTP2Reply(simulated.start(), date: "now").fields.map { "\($0.name)" }.contains("apns-id"))
    }

    @Test mutating func `behaviour 16: success has an empty body, a refusal one of JSON`() throws {
        let success = HTTP2Reply(simulated.start(), date: "now")
        #expect(success.status == 200)
        #expect(success.body.isEmpty)
        let reply = simulated.send(to: "ab", [:], headers: ["apns-topic": nil])
        let refusal = HTTP2Reply(reply, date: "now")
        #expect(refusal.status == 400)
        #expect(String(decoding: refusal.body, as: UTF8.self) == #"{"reason":"MissingTopic"}"#)
        #expect(refusal.fields.contains { "\($0.name)" == "content-type" })
    }

    @Test mutating func `behaviour 47: what a phone makes of a push is in no answer`() {
        let lame: [[String: JSON?]] = [
            ["alert": nil], ["attributes-type": "Other"], ["content-state": ["phase": "lost"]], ["timestamp": nil],
            ["event": "update"],
        ]
        let replies = lame.map { simulated.start($0) }
        #expect(replies.allSatisfy { $0.refusal == nil && $0.success == PushReply.Success() })
        #expect(simulated.phone.cards.isEmpty)
        #expect(simulated.phone.requests.count == lame.count)
    }
}
