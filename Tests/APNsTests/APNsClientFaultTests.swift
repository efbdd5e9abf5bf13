import APNs
import Crypto
import HTTP2
import Runtime
import TestSupport
import Testing

/// The client against an APNs, or a network, that misbehaves.
@Suite(.serialized) struct APNsClientFaultTests {
    @Test func `GOAWAY in the middle of a thousand loses nothing and repeats nothing`() async throws {
        // P01
        let accepted = Locked<[String]>([])
        try await FakeAPNs.with { request, fake in
            if request.connection == fake.record.connections.first, request.stream > 501 {
                if request.stream == 1001 {
                    let debug = Array("{\"reason\":\"Shutdown\"}".utf8)
                    await fake.server.goAway(request.connection, debugData: debug, lastStream: 501)
                }
                return .silence
            }
            accepted.withLock { $0.append(request.headers["apns-id"] ?? "") }
            return .ok
        } _: { fake, client in
            let outcomes = await client.sendMany(1000)
            #expect(outcomes.allSatisfy { $0.answer?.status == 200 })
            #expect(fake.record.connections.count == 2)
            #expect(fake.record.clientEvents.contains(.goAway(.shutdown)))
        }
        #expect(accepted.withLock { $0.count } == 1000)
        #expect(accepted.withLock { Set($0).count } == 1000)
    }

    @Test func `GOAWAY every hundred streams only costs connections`() async throws {
        // P02
        let count = Locked(0)
        try await FakeAPNs.with { request, fake in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number.isMultiple(of: 100) { await fake.server.goAway(request.connection) }
            return .ok
        } _: { fake, client in
            for _ in 0..<10 {
                let outcomes = await client.sendMany(100)
                #expect(outcomes.allSatisfy { $0.answer?.status == 200 })
            }
            #expect(fake.record.connections.count >= 8)
        }
    }

    @Test func `after GOAWAY the next push goes elsewhere though the old stream hangs`() async throws {
        // P03, P05
        let gate = Gate()
        try await FakeAPNs.with { request, _ in
            if request.headers["apns-id"]?.hasSuffix("1") == true { await gate.wait() }
            return .ok
        } _: { fake, client in
            #expect(await client.send(.test(0), deadline: .seconds(60)).answer?.status == 200)
            async let hanging = client.send(.test(1), deadline: .seconds(60))
            while fake.record.requests.count < 2 { try await fake.loop.sleep(for: .milliseconds(2)) }
            let first = try #require(fake.record.connections.first)
            await fake.server.goAway(first)
            while await client.usableConnections > 0 { try await fake.loop.sleep(for: .milliseconds(2)) }
            #expect(await client.send(.test(2), deadline: .seconds(60)).answer?.status == 200)
            #expect(fake.record.requests.last?.connection != first)
            gate.open()
            #expect(await hanging.answer?.status == 200)
        }
    }

    @Test func `a refused stream is sent again`() async throws {
        let refused = Locked<Set<String>>([])
        try await FakeAPNs.with { request, _ in
            let isFirst = refused.withLock { $0.insert(request.headers["apns-id"] ?? "").inserted }
            return isFirst && request.stream % 4 == 1 ? .reset(.refusedStream) : .ok
        } _: { _, client in
            #expect(await client.sendMany(200).allSatisfy { $0.answer?.status == 200 })
        }
    }

    @Test func `streams refused for ever are given back as unsent`() async throws {
        try await FakeAPNs.with { _, _ in
            .reset(.refusedStream)
        } _: { fake, client in
            #expect(await client.send(.test(), deadline: .seconds(60)).unsentCode == .lost)
            #expect(fake.record.requests.count == 5)
        }
    }

    @Test func `a push that is never answered ends at its deadline and the others do not wait`() async throws {
        // P06
        try await FakeAPNs.with(streams: 2) { request, _ in
            request.headers["apns-id"]?.hasSuffix("0003") == true ? .silence : .ok
        } _: { _, client in
            #expect(await client.send(.test(0), deadline: .seconds(60)).answer?.status == 200)
            async let silent = client.send(.test(3), deadline: .milliseconds(300))
            for number in 4..<50 {
                #expect(await client.send(.test(number), deadline: .seconds(60)).answer?.status == 200)
            }
            #expect(await silent.unknownCode == .deadline)
            #expect(await client.underWay == 0)
        }
    }

    @Test func `a push for which no stream came free is unsent`() async throws {
        try await FakeAPNs.with(streams: 1, settings: .oneConnection) { _, _ in
            .silence
        } _: { fake, client in
            async let first = client.send(.test(1), deadline: .seconds(3))
            while fake.record.requests.isEmpty { try await fake.loop.sleep(for: .milliseconds(2)) }
            #expect(await client.send(.test(2), deadline: .milliseconds(200)).unsentCode == .deadline)
            #expect(await first.unknownCode == .deadline)
        }
    }

    @Test func `a lost connection leaves its pushes unknown and the next one gets another`() async throws {
        // P07, P13
        let isSilent = Locked(false)
        try await FakeAPNs.with { _, _ in
            isSilent.withLock { $0 } ? .silence : .ok
        } _: { fake, client in
            #expect(await client.send(.test(0), deadline: .seconds(60)).answer?.status == 200)
            isSilent.withLock { $0 = true }
            async let outcomes = client.sendMany(20)
            while fake.record.requests.count < 21 { try await fake.loop.sleep(for: .milliseconds(2)) }
            await fake.server.drop(try #require(fake.record.connections.first))
            #expect(await outcomes.allSatisfy { $0.unknownCode == .lost })
            #expect(fake.record.requests.count == 21)
            isSilent.withLock { $0 = false }
            #expect(await client.send(.test(99), deadline: .seconds(60)).answer?.status == 200)
        }
    }

    @Test func `connections closed between pushes are replaced on demand`() async throws {
        // P13, P23
        try await FakeAPNs.with { fake, client in
            for number in 0..<20 {
                #expect(await client.send(.test(number), deadline: .seconds(60)).answer?.status == 200)
                for id in await fake.server.connections { await fake.server.drop(id) }
                while await client.usableConnections > 0 { try await fake.loop.sleep(for: .milliseconds(2)) }
            }
            #expect(fake.record.connections.count == 20)
        }
    }

    @Test func `nobody there is told at once, without a storm of attempts`() async throws {
        // P15
        let identity = try TestIdentity.shared.get()
        let loop = try TestLoop.shared.get()
        let client = try APNsClient(
            loop: loop,
            endpoint: APNsEndpoint(host: "127.0.0.1", port: 1, trust: .file(identity.file.path)),
            tokens: ProviderTokenSource(team: "TEAM123456", key: identity.key)
        )
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            let outcomes = await client.sendMany(500)
            #expect(outcomes.allSatisfy { $0.unsentCode == .unreachable })
            group.cancelAll()
        }
    }

    @Test func `an expired provider token is replaced once and each push tried once more`() async throws {
        // P30
        let expired = Locked<String?>(nil)
        try await FakeAPNs.with { request, _ in
            let authorization = request.headers["authorization"]
            let isExpired = expired.withLock { expired in
                if expired == nil { expired = authorization }
                return expired == authorization
            }
            return isExpired ? .refusal(403, "ExpiredProviderToken") : .ok
        } _: { fake, client in
            #expect(await client.sendMany(100).allSatisfy { $0.answer?.status == 200 })
            #expect(fake.record.authorizations.count == 2)
            #expect(fake.record.connections.count == 2)
        }
    }

    @Test func `a provider token that stays expired is reported after one more attempt`() async throws {
        try await FakeAPNs.with { _, _ in
            .refusal(403, "ExpiredProviderToken")
        } _: { fake, client in
            #expect(await client.send(.test(1), deadline: .seconds(60)).answer?.reason == .expiredProviderToken)
            #expect(fake.record.requests.count == 2)
            #expect(await client.send(.test(2), deadline: .seconds(60)).answer?.reason == .expiredProviderToken)
            #expect(fake.record.requests.count == 3)
            #expect(fake.record.authorizations.count == 2)
        }
    }

    @Test func `too many token updates keep the token that is there`() async throws {
        let clock = TestClock()
        let isAngry = Locked(false)
        try await FakeAPNs.with(clock: clock) { _, _ in
            isAngry.withLock { $0 } ? .refusal(429, "TooManyProviderTokenUpdates") : .ok
        } _: { fake, client in
            #expect(await client.send(.test(), deadline: .seconds(60)).answer?.status == 200)
            clock.advance(minutes: 16)
            isAngry.withLock { $0 = true }
            #expect(await client.send(.test(), deadline: .seconds(60)).answer?.reason == .tooManyProviderTokenUpdates)
            isAngry.withLock { $0 = false }
            clock.advance(minutes: 15)
            #expect(await client.send(.test(), deadline: .seconds(60)).answer?.status == 200)
            #expect(fake.record.authorizations.count == 1)
            clock.advance(minutes: 6)
            #expect(await client.send(.test(), deadline: .seconds(60)).answer?.status == 200)
            #expect(fake.record.authorizations.count == 2)
        }
    }

    @Test func `pushes come and go by the thousand and nothing piles up`() async throws {
        // P21
        try await FakeAPNs.with { _, client in
            for _ in 0..<20 { #expect(await client.sendMany(500).allSatisfy { $0.answer?.status == 200 }) }
            #expect(await client.underWay == 0)
            #expect(await client.openStreams == 0)
        }
    }
}

extension APNsClientSettings {
    static var oneConnection: APNsClientSettings {
        var settings = APNsClientSettings()
        settings.maxConnections = 1
        return settings
    }
}
