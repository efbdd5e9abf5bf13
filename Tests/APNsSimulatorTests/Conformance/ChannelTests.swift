import Crypto
import JSONText
import Testing

@testable import APNsSimulator

@Suite struct ChannelTests {
    private static let path = "/1/apps/\(SimulatedWorld.bundleID)"
    private static let creation: JSON = ["message-storage-policy": 0, "push-type": "LiveActivity"]

    private var simulated: SimulatedWorld

    init() throws { simulated = try SimulatedWorld() }

    @Test mutating func `behaviour 48: a channel is made, read, listed and deleted, named in the header only`() throws {
        let made = simulated.manage("POST", body: Self.creation)
        let id = try #require(made.success.channelID)
        #expect(made.success == PushReply.Success(status: 201, channelID: id))
        #expect(Base64.decode(id)?.count == 16)
        let read = simulated.manage("GET", channel: id).success
        #expect(try JSON.parse(read.body) == ["message-storage-policy": 0, "push-type": "LiveActivity"])
        let other = simulated.createChannel()
        let listed = simulated.manage("GET", "\(Self.path)/all-channels").success
        #expect(listed.status == 200)
        #expect(try JSON.parse(listed.body) == ["channels": [.string(id), .string(other)]])
        #expect(simulated.manage("DELETE", channel: id).success == PushReply.Success(status: 204))
        #expect(simulated.manage("GET", channel: id).refusal == Refusal(.channelNotRegistered))
        #expect(simulated.manage("DELETE", channel: id).refusal == Refusal(.channelNotRegistered))
    }

    @Test mutating func `behaviour 48: environments and apps share no channels`() {
        let id = simulated.createChannel()
        #expect(
            simulated.manage("GET", channel: id, environment: .production).refusal?.reason == "ChannelNotRegistered"
        )
        let other = "/1/apps/app.doorstep.other/channels"
        #expect(simulated.manage("GET", other, channel: id).refusal?.reason == "ChannelNotRegistered")
    }

    @Test(
        arguments: [
            (nil, "PayloadEmpty"), ([], "BadRequestPayload"), (["message-storage-policy": 0], "MissingPushType"),
            (["message-storage-policy": 0, "push-type": "alert"], "InvalidPushType"),
            (["message-storage-policy": 2, "push-type": "LiveActivity"], "BadRequestPayload"),
            (["push-type": "LiveActivity"], "BadRequestPayload"),
        ] as [(JSON?, String)]
    )
    mutating func `behaviour 48: a creation that makes no sense is refused`(body: JSON?, reason: String) {
        #expect(simulated.manage("POST", body: body).refusal?.reason == reason)
    }

    @Test(
        arguments: [
            ("PUT", "\(path)/channels", "MethodNotAllowed", 405),
            ("POST", "\(path)/all-channels", "MethodNotAllowed", 405),
            ("GET", "\(path)/channels/dGVzdA==", "BadPath", 404), ("GET", "/1/apps//channels", "BadPath", 404),
            ("POST", "/3/device/abcd", "BadPath", 404),
            ("GET", "\(path).push-type.liveactivity/channels", "TopicDisallowed", 400),
            ("GET", "/1/apps/app.unknown/channels", "TopicMismatch", 403),
            ("GET", "\(path)/channels", "MissingChannelId", 400),
        ]
    )
    mutating func `behaviour 48: paths and methods`(method: String, path: String, reason: String, status: Int) {
        #expect(simulated.manage(method, path).refusal == Refusal(status: status, reason: reason))
    }

    @Test mutating func `behaviour 48: garbled ids and requests are told apart from unknown ones`() {
        #expect(simulated.manage("GET", channel: "not base64!").refusal?.reason == "BadChannelId")
        #expect(simulated.manage("GET", channel: "dGVzdA==").refusal?.reason == "ChannelNotRegistered")
        #expect(simulated.manage("GET", headers: ["apns-request-id": "7"]).refusal?.reason == "BadMessageId")
        #expect(simulated.manage("GET", headers: ["authorization": nil]).refusal?.reason == "MissingProviderToken")
    }

    @Test mutating func `behaviour 48: 10,000 channels are enough, deleted ones not counted`() {
        #expect(simulated.world.knobs.channelLimit == 10_000)
        simulated.world.knobs.channelLimit = 2
        let first = simulated.createChannel()
        _ = simulated.createChannel()
        #expect(simulated.manage("POST", body: Self.creation).refusal == Refusal(.cannotCreateChannelConfig))
        #expect(simulated.manage("POST", body: Self.creation, environment: .production).refusal == nil)
        simulated.manage("DELETE", channel: first)
        #expect(simulated.manage("POST", body: Self.creation).refusal == nil)
    }

    @Test mutating func `behaviour 48: without the capability nothing is made, and switching it off deletes all`()
        throws
    {
        let id = simulated.createChannel()
        let body: JSON = ["enabled": false]
        let off = ControlRequest(method: "POST", path: "/apps/demo/broadcast", query: nil, body: body.serialized())
        #expect(simulated.world.control(try #require(off), at: simulated.now).status == 200)
        #expect(simulated.manage("POST", body: Self.creation).refusal == Refusal(.featureNotEnabled))
        #expect(simulated.publish(to: id).refusal == Refusal(.featureNotEnabled))
        simulated.world.channels.setEnabled(true, app: 0)
        #expect(simulated.manage("GET", channel: id).refusal == Refusal(.channelNotRegistered))
    }

    @Test mutating func `behaviour 50: the request id is echoed or made`() {
        let id = "0d8b2c1e-0f5c-4c0c-9a51-5bb3d3c1c002"
        let reply = simulated.manage("POST", body: Self.creation, headers: ["apns-request-id": id])
        #expect(reply.idHeader == .requestID)
        #expect(reply.apnsID.description == id)
        #expect(reply.uniqueID == nil)
        #expect(simulated.manage("POST", body: Self.creation).apnsID != reply.apnsID)
    }

    @Test mutating func `behaviour 51: faults meet channel management too`() {
        _ = simulated.world.faults.add { id in
            var match = Fault.Match()
            match.event = .manage
            return Fault(id: id, effect: .answer(Refusal(.serviceUnavailable)), match: match, times: 1)
        }
        #expect(simulated.manage("POST", body: Self.creation).refusal?.status == 503)
        #expect(simulated.world.channels.all.isEmpty)
        #expect(simulated.manage("POST", body: Self.creation).refusal == nil)
    }
}
