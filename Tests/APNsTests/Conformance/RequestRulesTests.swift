import APNs
import HTTP2
import Runtime
import Testing

/// Sender rules 15 to 21: what a push must look like.
@Suite(.serialized) struct RequestRulesTests {
    @Test func `rule 15: a push carries what Apple asks for and nothing else`() async throws {
        let seen = Locked<[(name: String, value: String)]>([])
        try await FakeAPNs.with { request, _ in
            seen.withLock { $0 = request.headers.fields }
            return .ok
        } _: { _, client in
            var push = APNsRequest.test(7)
            push.priority = .immediate
            push.collapseID = "order-7"
            #expect(await client.send(push, deadline: .seconds(60)).answer?.status == 200)
        }
        let fields = seen.withLock { $0 }
        let expected = [
            ":method": "POST",
            ":scheme": "https",
            ":path": "/3/device/" + String(repeating: "ab", count: 80),
            "apns-push-type": "liveactivity",
            "apns-topic": "com.example.app.push-type.liveactivity",
            "apns-priority": "10",
            "apns-expiration": "1790000000",
            "apns-id": "00000000-0000-0000-0000-000000000007",
            "apns-collapse-id": "order-7",
        ]
        for (name, value) in expected { #expect(fields.filter { $0.name == name }.map(\.value) == [value]) }
        let others = Set(fields.map(\.name)).subtracting(expected.keys)
        #expect(others == [":authority", "authorization"])
    }

    @Test func `rule 17: topic and expiration must make sense`() {
        var request = APNsRequest.test()
        request.expiration = -1
        #expect(request.problem != nil)
        request.expiration = 0
        #expect(request.problem == nil)
        request.topic = ""
        #expect(request.problem != nil)
    }

    @Test func `rule 19: a collapse id has 1 to 64 bytes`() {
        var request = APNsRequest.test()
        request.collapseID = String(repeating: "c", count: 64)
        #expect(request.problem == nil)
        request.collapseID = String(repeating: "é", count: 33)
        #expect(request.problem != nil)
        request.collapseID = ""
        #expect(request.problem != nil)
    }

    @Test(arguments: [64, 160, 200]) func `rule 20: tokens of any even length are taken`(length: Int) {
        // P46
        var request = APNsRequest.test()
        request.destination = .device(token: String(repeating: "a", count: length))
        #expect(request.problem == nil)
    }

    @Test(arguments: ["", "abc", "zz", "ab/../..", "ab cd "]) func `rule 20: anything but pairs of digits is no token`(
        token: String
    ) {
        var request = APNsRequest.test()
        request.destination = .device(token: token)
        #expect(request.problem != nil)
    }

    @Test func `rule 21: a payload has 1 to 4096 bytes`() {
        var request = APNsRequest.test()
        request.payload = [UInt8](repeating: 32, count: 4096)
        #expect(request.problem == nil)
        request.payload.append(32)
        #expect(request.problem != nil)
        request.payload = []
        #expect(request.problem != nil)
    }

    @Test func `rule 21: a push that breaks a rule is not sent`() async throws {
        try await FakeAPNs.with { fake, client in
            var push = APNsRequest.test()
            push.payload = []
            #expect(await client.send(push, deadline: .seconds(60)).unsentCode == .invalidRequest)
            #expect(fake.record.requests.isEmpty)
        }
    }

    @Test(arguments: [(APNsRequest.Priority.considerate, "5"), (.immediate, "10")])
    func `rule 16: the priority is always told`(priority: APNsRequest.Priority, value: String) async throws {
        let seen = Locked<[String?]>([])
        try await FakeAPNs.with { request, _ in
            seen.withLock { $0.append(request.headers["apns-priority"]) }
            return .ok
        } _: { _, client in
            var push = APNsRequest.test()
            push.priority = priority
            #expect(await client.send(push, deadline: .seconds(60)).answer?.status == 200)
        }
        #expect(seen.withLock { $0 } == [value])
    }

    @Test(arguments: ["", "7", "0000000000000000000000000000000000-0", "ABCDEF00-0000-4000-8000-000000000000"])
    func `rule 18: an id that is no UUID in lower case is not sent`(id: String) {
        var request = APNsRequest.test()
        #expect(request.problem == nil)
        request.apnsID = id
        #expect(request.problem != nil)
    }

    @Test func `rule 20: a token goes out in lower case and whole`() async throws {
        try await FakeAPNs.with { fake, client in
            var push = APNsRequest.test()
            push.destination = .device(token: String(repeating: "A9", count: 100))
            #expect(await client.send(push, deadline: .seconds(60)).answer?.status == 200)
            #expect(fake.record.requests.map(\.path) == ["/3/device/" + String(repeating: "a9", count: 100)])
        }
    }
}
