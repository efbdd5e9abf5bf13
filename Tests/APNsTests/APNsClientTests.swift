import APNs
import Crypto
import HTTP2
import Runtime
import TestSupport
import Testing

/// The client against an APNs that behaves.
@Suite(.serialized) struct APNsClientTests {
    @Test func `a thousand pushes are answered over few connections with one token`() async throws {
        // P22, P25
        try await FakeAPNs.with { fake, client in
            let outcomes = await client.sendMany(1000)
            #expect(outcomes.allSatisfy { $0.answer?.status == 200 })
            #expect(Set(fake.record.requests.map(\.id)).count == 1000)
            #expect(fake.record.authorizations.count == 1)
            #expect(fake.record.connections.count == 1)
            #expect(await client.underWay == 0)
        }
    }

    @Test func `a push carries what Apple asks for and nothing else`() async throws {
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

    @Test func `the first request waits alone for its answer`() async throws {
        let gate = Gate()
        try await FakeAPNs.with { _, _ in
            await gate.wait()
            return .ok
        } _: { fake, client in
            async let outcomes = client.sendMany(50)
            while fake.record.requests.isEmpty { try await fake.loop.sleep(for: .milliseconds(2)) }
            try await fake.loop.sleep(for: .milliseconds(50))
            #expect(fake.record.requests.count == 1)
            gate.open()
            #expect(await outcomes.count { $0.answer?.status == 200 } == 50)
        }
    }

    @Test func `a push that breaks a rule is not sent`() async throws {
        try await FakeAPNs.with { fake, client in
            var push = APNsRequest.test()
            push.payload = []
            #expect(await client.send(push, deadline: .seconds(60)).unsentCode == .invalidRequest)
            #expect(fake.record.requests.isEmpty)
        }
    }

    @Test func `a refusal comes back with reason and time`() async throws {
        try await FakeAPNs.with { _, _ in
            .refusal(410, "Unregistered", timestamp: 1_790_000_000_123)
        } _: { _, client in
            let answer = await client.send(.test(), deadline: .seconds(60)).answer
            #expect(answer?.status == 410)
            #expect(answer?.reason == .unregistered)
            #expect(answer?.timestampMilliseconds == 1_790_000_000_123)
        }
    }

    @Test func `a body that is no JSON leaves the status`() async throws {
        try await FakeAPNs.with { _, _ in
            .reply(HTTP2Reply(status: 503, body: Array("<html>".utf8)))
        } _: { _, client in
            #expect(await client.send(.test(), deadline: .seconds(60)).answer == APNsAnswer(status: 503))
        }
    }

    @Test func `streams are never more than APNs allows, and a second connection takes the rest`() async throws {
        // P11
        let open = Locked<[HTTP2ConnectionID: Int]>([:])
        let most = Locked(0)
        try await FakeAPNs.with(streams: 10) { request, fake in
            let now = open.withLock { open in
                open[request.connection, default: 0] += 1
                return open[request.connection, default: 0]
            }
            most.withLock { $0 = max($0, now) }
            try? await fake.loop.sleep(for: .milliseconds(5))
            open.withLock { $0[request.connection, default: 0] -= 1 }
            return .ok
        } _: { fake, client in
            let outcomes = await client.sendMany(500)
            #expect(outcomes.allSatisfy { $0.answer?.status == 200 })
            #expect(fake.record.connections.count > 1)
            #expect(fake.record.connections.count <= 3)
        }
        #expect(most.withLock { $0 } == 10)
    }

    @Test func `a limit that falls to one and rises again is followed`() async throws {
        // P10
        let count = Locked(0)
        try await FakeAPNs.with(streams: 500) { request, fake in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 100 { await fake.server.setMaxConcurrentStreams(1, on: request.connection) }
            if number == 130 { await fake.server.setMaxConcurrentStreams(500, on: request.connection) }
            return number == 99 ? .refusal(400, "BadDeviceToken") : .ok
        } _: { _, client in
            let outcomes = await client.sendMany(1000)
            #expect(outcomes.count { $0.answer?.status == 200 } == 999)
            #expect(outcomes.count { $0.answer?.reason == .badDeviceToken } == 1)
        }
    }

    @Test func `a client that stops finishes what is under way and takes no more`() async throws {
        let gate = Gate()
        try await FakeAPNs.with { _, _ in
            await gate.wait()
            return .ok
        } _: { fake, client in
            async let outcome = client.send(.test(), deadline: .seconds(60))
            while fake.record.requests.isEmpty { try await fake.loop.sleep(for: .milliseconds(2)) }
            async let drained: Void = client.drain()
            try await fake.loop.sleep(for: .milliseconds(20))
            #expect(await client.send(.test(), deadline: .seconds(60)).unsentCode == .stopped)
            gate.open()
            #expect(await outcome.answer?.status == 200)
            await drained
        }
    }

    @Test func `two keys never share a connection`() async throws {
        // P17
        try await FakeAPNs.with { fake, client in
            let key = ProviderKey(id: "OTHERKEY12", privateKey: try .generate())
            let other = try APNsClient(
                loop: fake.loop,
                endpoint: fake.endpoint,
                tokens: ProviderTokenSource(team: "TEAM654321", key: key)
            )
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await other.run() }
                for number in 0..<20 {
                    #expect(await client.send(.test(number), deadline: .seconds(60)).answer?.status == 200)
                    #expect(await other.send(.test(number), deadline: .seconds(60)).answer?.status == 200)
                }
                group.cancelAll()
            }
            let byConnection = Dictionary(grouping: fake.record.requests, by: \.connection)
            #expect(byConnection.count == 2)
            #expect(byConnection.values.allSatisfy { Set($0.map(\.authorization)).count == 1 })
        }
    }
}
