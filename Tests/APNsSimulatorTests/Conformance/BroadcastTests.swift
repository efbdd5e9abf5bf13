import Crypto
import JSONText
import Testing

@testable import APNsSimulator

@Suite struct BroadcastTests {
    private var simulated: SimulatedWorld

    init() throws { simulated = try SimulatedWorld() }

    /// A phone whose card listens to `channel`.
    private mutating func listen(_ id: String, to channel: String) -> Int {
        let phone = simulated.addPhone(id)
        simulated.start(["input-push-channel": .string(channel)], on: phone)
        return phone
    }

    private func revision(_ phone: Int) -> Int64? { simulated.world.phones[phone].cards.last?.content.revision }

    @Test mutating func `behaviour 49: a message reaches every phone that listens, with a record each`() throws {
        let channel = simulated.createChannel(storing: 0)
        let phones = [listen("P1", to: channel), listen("P2", to: channel)]
        simulated.addPhone("P3")
        simulated.start(on: 2)
        simulated.pass(seconds: 1)
        let reply = simulated.publish(to: channel)
        #expect(reply.refusal == nil)
        #expect(reply.success == PushReply.Success())
        #expect(phones.map(revision) == [5, 5])
        #expect(revision(2) == 3)
        #expect(simulated.world.totals.accepted[.update] == 1)
        #expect(simulated.world.totals.broadcastDeliveries == 2)
        #expect(simulated.world.totals.verdicts[.applied] == 5)
        let request = try #require(ControlRequest(method: "GET", path: "/phones/P2", query: nil, body: []))
        let shown = try JSON.parse(simulated.world.control(request, at: simulated.now).body)
        let push = try #require(shown["pushes"]?.arrayValue?.last)
        #expect(push["tokenKind"]?.stringValue == "channel")
        #expect(push["channel"]?.stringValue == channel)
        #expect(push["payload"]?["aps"]?["event"]?.stringValue == "update")
        #expect(push["applied"]?.boolValue == true)
    }

    @Test mutating func `behaviour 49: both environments' ordinary listeners publish, each for itself`() {
        let channel = simulated.createChannel(environment: .production)
        #expect(simulated.publish(to: channel).refusal?.reason == "ChannelNotRegistered")
        #expect(simulated.publish(to: channel, environment: .production).refusal == nil)
    }

    @Test mutating func `behaviour 49: 5,120 bytes and not one more`() {
        let channel = simulated.createChannel()
        #expect(simulated.publish(to: channel, bytes: [UInt8](repeating: 32, count: 5120)).refusal == nil)
        let tooMuch = simulated.publish(to: channel, bytes: [UInt8](repeating: 32, count: 5121))
        #expect(tooMuch.refusal == Refusal(.payloadTooLarge))
        #expect(simulated.publish(to: channel, bytes: []).refusal == Refusal(.payloadEmpty))
    }

    @Test(
        arguments: [
            ("apns-push-type", nil, "MissingPushType"), ("apns-push-type", "alert", "InvalidPushType"),
            ("apns-priority", "7", "BadPriority"), ("apns-expiration", "soon", "BadExpirationDate"),
            ("apns-expiration", "1800000300", "BadExpirationDate"), ("apns-channel-id", nil, "MissingChannelId"),
            ("apns-channel-id", "%%", "BadChannelId"), ("apns-channel-id", "dGVzdA==", "ChannelNotRegistered"),
            ("apns-request-id", "7", "BadMessageId"), ("authorization", nil, "MissingProviderToken"),
        ] as [(String, String?, String)]
    )
    mutating func `behaviour 49: a bad header is refused with Apple's word`(
        name: String,
        value: String?,
        reason: String
    ) {
        let channel = simulated.createChannel(storing: 0)
        #expect(simulated.publish(to: channel, headers: [name: value]).refusal?.reason == reason)
    }

    @Test mutating func `behaviour 49: the path names an app of the key, without a suffix`() throws {
        let channel = simulated.createChannel()
        let suffixed = simulated.publish(to: channel, bundleID: SimulatedWorld.topic)
        #expect(suffixed.refusal == Refusal(.topicDisallowed))
        #expect(simulated.publish(to: channel, bundleID: "app.unknown").refusal == Refusal(.topicMismatch))
        #expect(simulated.publish(to: channel, method: "GET").refusal == Refusal(.methodNotAllowed))
        let key = try ES256PrivateKey.generate()
        simulated.world.keys.register(
            .init(
                id: "KEYTOPIC01",
                team: SimulatedWorld.team,
                publicKey: key.publicKey,
                bundleIDs: ["app.doorstep.other"]
            )
        )
        let token = try simulated.bearer(key: key, keyID: "KEYTOPIC01")
        let foreign = simulated.publish(to: channel, headers: ["authorization": token], environment: .production)
        #expect(foreign.refusal == Refusal(status: 403, reason: "TopicMismatch"))
    }

    @Test mutating func `behaviour 50: of what a phone missed only the newest comes, and only once`() {
        let channel = simulated.createChannel(storing: 1)
        let phone = listen("P1", to: channel)
        simulated.perform(.offline)
        for revision in 5...6 {
            simulated.pass(seconds: 1)
            let expiration = String(simulated.seconds + 600)
            simulated.publish(
                to: channel,
                simulated.broadcast(revision: revision),
                headers: ["apns-expiration": expiration]
            )
        }
        #expect(revision(phone) == 3)
        simulated.perform(.online)
        #expect(revision(phone) == 6)
        simulated.perform(.offline)
        simulated.perform(.online)
        #expect(simulated.world.totals.broadcastDeliveries == 1)
    }

    @Test(arguments: [(0, nil), (1, "0"), (1, "1800000060")] as [(Int, String?)])
    mutating func `behaviour 50: nothing stored, not to be stored or expired does not come late`(
        policy: Int,
        expiration: String?
    ) {
        let channel = simulated.createChannel(storing: policy)
        let phone = listen("P1", to: channel)
        simulated.perform(.offline)
        simulated.publish(to: channel, headers: expiration.map { ["apns-expiration": $0] } ?? [:])
        simulated.pass(seconds: 60)
        simulated.perform(.online)
        #expect(revision(phone) == 3)
    }

    @Test mutating func `behaviour 50: a stored message is kept for eight hours at most`() throws {
        let channel = simulated.createChannel(storing: 1)
        simulated.publish(to: channel, headers: ["apns-expiration": String(simulated.seconds + 1_000_000)])
        simulated.pass(seconds: 8 * 3600 - 1)
        simulated.token = try simulated.bearer()
        let early = listen("P1", to: channel)
        #expect(simulated.world.totals.broadcastDeliveries == 1)
        #expect(simulated.lastVerdict == .olderTimestamp, "the start was newer")
        simulated.pass(seconds: 1)
        _ = listen("P2", to: channel)
        #expect(simulated.world.totals.broadcastDeliveries == 1)
        #expect(revision(early) == 3)
    }

    @Test mutating func `behaviour 50: deleting a channel does not recall what it has stored`() {
        let channel = simulated.createChannel(storing: 1)
        let phone = listen("P1", to: channel)
        simulated.perform(.offline)
        simulated.pass(seconds: 1)
        simulated.publish(to: channel, headers: ["apns-expiration": String(simulated.seconds + 60)])
        simulated.manage("DELETE", channel: channel)
        simulated.perform(.online)
        #expect(revision(phone) == 5)
    }

    @Test mutating func `a card on a channel needs no prompt and has no token, and nothing starts by broadcast`() {
        let channel = simulated.createChannel(storing: 0)
        simulated.addPhone("P1", prompt: .ignored)
        simulated.start(["input-push-channel": .string(channel)])
        _ = simulated.takeCalls()
        simulated.pass(seconds: 1)
        simulated.publish(to: channel)
        #expect(simulated.phone.cards.map(\.content.revision) == [5])
        #expect(simulated.change("update").refusal == Refusal(.badDeviceToken))
        simulated.publish(to: channel, SimulatedWorld.start(at: simulated.seconds + 1))
        #expect(simulated.phone.cards.count == 1)
        #expect(simulated.world.violations.counts[.startToChannel] == 1)
    }

    @Test mutating func `on iOS 17, or on a channel that nobody made, nothing starts`() {
        let channel = simulated.createChannel()
        var order = PhoneOrder(id: "old", app: 0, preset: .docs)
        order.os = "17.6"
        _ = simulated.world.add(order, at: simulated.now)
        simulated.start(["input-push-channel": .string(channel)])
        #expect(simulated.lastVerdict == .channelUnsupported)
        simulated.addPhone("new")
        simulated.start(["input-push-channel": "dGVzdA=="], on: 1)
        #expect(simulated.lastVerdict == .channelUnsupported)
    }

    @Test mutating func `an end by broadcast ends every card that listens`() {
        let channel = simulated.createChannel(storing: 0)
        let phones = [listen("P1", to: channel), listen("P2", to: channel)]
        simulated.pass(seconds: 1)
        simulated.publish(to: channel, simulated.broadcast("end", phase: "delivered"))
        #expect(phones.allSatisfy { simulated.world.phones[$0].cards[0].state(at: simulated.now.phone) == .ended })
        simulated.pass(seconds: 1)
        simulated.publish(to: channel)
        #expect(simulated.world.totals.broadcastDeliveries == 2)
        #expect(simulated.world.channels.all[0].listeners.isEmpty)
    }
}
