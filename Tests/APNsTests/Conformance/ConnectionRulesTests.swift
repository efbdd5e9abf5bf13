import APNs
import Crypto
import HTTP2
import Runtime
import TestSupport
import Testing

/// Sender rules 1 to 7: hosts, connections and streams.
@Suite(.serialized) struct ConnectionRulesTests {
    @Test func `rule 1: the hosts are Apple's, and the port can be another one`() {
        #expect(APNsEndpoint.production.host == "api.push.apple.com")
        #expect(APNsEndpoint.sandbox.host == "api.sandbox.push.apple.com")
        #expect(APNsEndpoint.production.port == 443 && APNsEndpoint.sandbox.port == 443)
        #expect(APNsEndpoint(host: "api.push.apple.com", port: 2197).port == 2197)
    }

    @Test func `rule 2: a token that APNs calls bad is tried nowhere else`() async throws {
        try await FakeAPNs.with { _, _ in
            .refusal(400, "BadDeviceToken")
        } _: { fake, client in
            #expect(await client.send(.test(), deadline: .seconds(60)).answer?.reason == .badDeviceToken)
            #expect(fake.record.requests.count == 1)
            #expect(fake.record.connections.count == 1)
        }
    }

    @Test func `rule 3: two keys never share a connection`() async throws {
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

    @Test func `rule 4: a thousand pushes are answered over one connection with one token`() async throws {
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

    @Test func `rule 6: the first request waits alone for its answer`() async throws {
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

    @Test func `rule 7: streams are never more than APNs allows, and a second connection takes the rest`() async throws
    {
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

    @Test func `rule 7: a limit that falls to one and rises again is followed`() async throws {
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

    @Test func `rule 4: a host of several addresses is reached by the one that answers`() async throws {
        try await FakeAPNs.with { fake, _ in
            var endpoint = fake.endpoint
            endpoint.host = "localhost"
            let tokens = ProviderTokenSource(team: "TEAM123456", key: try TestIdentity.shared.get().key)
            let client = try APNsClient(loop: fake.loop, endpoint: endpoint, tokens: tokens)
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.run() }
                #expect(await client.send(.test(), deadline: .seconds(60)).answer?.status == 200)
                group.cancelAll()
            }
        }
    }

    @Test func `rule 4: an APNs that turns every connection away is not stormed`() async throws {
        // P02
        var settings = APNsClientSettings()
        settings.maxAttempts = 1000
        try await FakeAPNs.with(settings: settings) { request, fake in
            await fake.server.goAway(request.connection, lastStream: 0)
            return .silence
        } _: { fake, client in
            let outcomes = await client.sendMany(200, deadline: .seconds(1))
            // Whether one had just left when its time was over is chance.
            #expect(outcomes.allSatisfy { $0.unsentCode ?? $0.unknownCode == .deadline })
            #expect(fake.record.connections.count <= 8)
        }
    }

    @Test(arguments: 0..<5)
    func `rule 7: a limit that jumps between 500 and 1 under load is never exceeded`(seed: UInt64) async throws {
        // P10. The server takes a stream beyond a limit that was acknowledged for a broken protocol and says so.
        let generator = Locked(SplitMix64(seed: seed))
        try await FakeAPNs.with(streams: 500, settings: .oneConnection) { request, fake in
            let draw = generator.withLock { Int.random(in: 0..<100, using: &$0) }
            if draw < 10 {
                await fake.server.setMaxConcurrentStreams(draw.isMultiple(of: 2) ? 1 : 500, on: request.connection)
            }
            if draw < 50 { try? await fake.loop.sleep(for: .milliseconds(draw % 5)) }
            return draw == 99 ? .refusal(400, "BadDeviceToken") : .ok
        } _: { fake, client in
            let outcomes = await client.sendMany(2000)
            #expect(outcomes.allSatisfy { $0.answer?.status == 200 || $0.answer?.reason == .badDeviceToken })
            #expect(fake.record.clientEvents == [.opened])
            #expect(fake.record.connections.count == 1)
        }
    }
}
