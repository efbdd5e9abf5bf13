import APNs
import HTTP2
import Runtime
import Testing

/// Sender rules 48 to 50, where they are the client's.
@Suite(.serialized) struct BroadcastRulesTests {
    private static let update = APNsRequest(
        channel: "dHN0LXNyY2gtY2hubA==",
        bundleID: "com.example.app",
        priority: .considerate,
        expiration: 0,
        apnsID: "00000000-0000-4000-8000-000000000001",
        payload: Array("{\"aps\":{\"event\":\"update\",\"timestamp\":1790000000}}".utf8)
    )

    @Test func `rule 48: channels of both environments are managed at their own hosts`() {
        #expect(APNsEndpoint.sandboxManagement.host == "api-manage-broadcast.sandbox.push.apple.com")
        #expect(APNsEndpoint.sandboxManagement.port == 2195)
        #expect(APNsEndpoint.productionManagement.host == "api-manage-broadcast.push.apple.com")
        #expect(APNsEndpoint.productionManagement.port == 2196)
    }

    @Test func `rule 49: an update that APNs must not store has the expiration 0`() async throws {
        #expect(try await fields(of: Self.update)["apns-expiration"] == "0")
        var later = Self.update
        later.expiration = 1_790_000_600
        #expect(try await fields(of: later)["apns-expiration"] == "1790000600")
    }

    @Test func `rule 50: a push to a channel has the bare bundle id in its path and no topic`() async throws {
        let sent = try await fields(of: Self.update)
        let expected = [
            ":method": "POST",
            ":scheme": "https",
            ":path": "/4/broadcasts/apps/com.example.app",
            "apns-channel-id": "dHN0LXNyY2gtY2hubA==",
            "apns-push-type": "liveactivity",
            "apns-priority": "5",
            "apns-expiration": "0",
            "apns-request-id": "00000000-0000-4000-8000-000000000001",
        ]
        for (name, value) in expected { #expect(sent[name] == value) }
        #expect(Set(sent.keys).subtracting(expected.keys) == [":authority", "authorization"])
    }

    @Test func `rule 50: no start goes to a channel, and no suffix into the path`() {
        #expect(Self.update.problem == nil)
        var start = Self.update
        start.payload = Array("{\"aps\":{\"event\":\"start\"}}".utf8)
        #expect(start.problem == "a channel starts nothing")
        var suffixed = Self.update
        suffixed.destination = .channel(id: "aWQ=", bundleID: "com.example.app.push-type.liveactivity")
        #expect(suffixed.problem == "the bundle id has a topic's suffix")
        var collapsed = Self.update
        collapsed.collapseID = "order-7"
        #expect(collapsed.problem != nil)
        var alert = Self.update
        alert.pushType = .alert
        #expect(alert.problem != nil)
        var nowhere = Self.update
        nowhere.destination = .channel(id: "", bundleID: "com.example.app")
        #expect(nowhere.problem != nil)
    }

    @Test func `rule 21: a push to a channel has at most 5120 bytes`() {
        var large = Self.update
        large.payload = [UInt8](repeating: UInt8(ascii: " "), count: 5120)
        #expect(large.problem == nil)
        large.payload.append(UInt8(ascii: " "))
        #expect(large.problem != nil)
    }

    private func fields(of push: APNsRequest) async throws -> [String: String] {
        let seen = Locked<[String: String]>([:])
        try await FakeAPNs.with { request, _ in
            let fields = request.headers.fields.map { ($0.name, $0.value) }
            seen.withLock { $0 = Dictionary(fields) { "\($0), \($1)" } }
            return .ok
        } _: { _, client in
            #expect(await client.send(push, deadline: .seconds(60)).answer?.status == 200)
        }
        return seen.withLock { $0 }
    }
}
