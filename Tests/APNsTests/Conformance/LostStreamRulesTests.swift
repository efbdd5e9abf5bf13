import APNs
import HTTP2
import Runtime
import TestSupport
import Testing

/// Sender rules 8 and 9: what becomes of pushes whose stream or connection ends.
@Suite(.serialized) struct LostStreamRulesTests {
    @Test func `rule 8: GOAWAY in the middle of a thousand loses nothing and repeats nothing`() async throws {
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

    @Test func `rule 8: GOAWAY every hundred streams only costs connections`() async throws {
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

    @Test func `rule 8: after GOAWAY the next push goes elsewhere though the old stream hangs`() async throws {
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

    @Test func `rule 9: a refused stream is sent again`() async throws {
        let refused = Locked<Set<String>>([])
        try await FakeAPNs.with { request, _ in
            let isFirst = refused.withLock { $0.insert(request.headers["apns-id"] ?? "").inserted }
            return isFirst && request.stream % 4 == 1 ? .reset(.refusedStream) : .ok
        } _: { _, client in
            #expect(await client.sendMany(200).allSatisfy { $0.answer?.status == 200 })
        }
    }

    @Test func `rule 9: a push that GOAWAY gave back may be refused once by the next connection, which stays`()
        async throws
    {
        // P01, P03
        let seen = Locked<[Int32]>([])
        try await FakeAPNs.with { request, fake in
            let turn = seen.withLock { turns in
                turns.append(request.stream)
                return turns.count
            }
            switch turn {
            case 1: return .ok
            case 2:
                await fake.server.goAway(request.connection, lastStream: request.stream - 2)
                return .silence
            case 3: return .reset(.refusedStream)
            case _: return .ok
            }
        } _: { fake, client in
            for number in 0..<4 {
                #expect(await client.send(.test(number), deadline: .seconds(60)).answer?.status == 200)
            }
            #expect(fake.record.connections.count == 2)
        }
        #expect(seen.withLock { $0.count } == 6)
    }

    @Test func `rule 9: streams refused for ever are given back as unsent`() async throws {
        try await FakeAPNs.with { _, _ in
            .reset(.refusedStream)
        } _: { fake, client in
            #expect(await client.send(.test(), deadline: .seconds(60)).unsentCode == .lost)
            #expect(fake.record.requests.count == 5)
        }
    }

    @Test func `rule 9: a lost connection leaves its pushes unknown and the next one gets another`() async throws {
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
}
