import Crypto
import HTTP2
import JSONText
import Runtime
import Testing

@testable import APNs

/// Sender rules 10 to 14: who we are, and how it is said.
@Suite(.serialized) struct ProviderTokenRulesTests {
    @Test func `rule 10: a token is what RFC 7515 and Apple ask for`() throws {
        let key = try ES256PrivateKey.generate()
        let source = ProviderTokenSource(team: "TEAM123456", key: ProviderKey(id: "KEY1234567", privateKey: key)) {
            ClockReading(wallSeconds: 1_790_000_000, monotonic: MonotonicTime(nanoseconds: 0))
        }
        let authorization = try source.token().authorization
        #expect(authorization.hasPrefix("bearer "))
        let parts = authorization.dropFirst(7).split(separator: ".")
        let decoded = try parts.map { try #require(Base64URL.decode($0)) }
        try #require(decoded.count == 3)
        #expect(try JSON.parse(decoded[0]) == ["alg": "ES256", "kid": "KEY1234567"])
        // P31: numeric seconds, of the half hour.
        #expect(try JSON.parse(decoded[1]) == ["iss": "TEAM123456", "iat": 1_789_999_200])
        #expect(decoded[2].count == 64)
        #expect(key.publicKey.isValid(decoded[2], for: Array("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test func `rule 11: many callers at once share one token`() async throws {
        // P25, P26
        let key = ProviderKey(id: "KEY1234567", privateKey: try .generate())
        let source = ProviderTokenSource(team: "TEAM123456", key: key)
        let tokens = try await withThrowingTaskGroup(of: ProviderToken.self) { group in
            for _ in 0..<100 { group.addTask { try source.token() } }
            var tokens: Set<ProviderToken> = []
            for try await token in group { tokens.insert(token) }
            return tokens
        }
        #expect(tokens.count == 1)
    }

    @Test func `rule 11: two processes issue as of the same time and change at the same time`() async throws {
        // P26
        let key = ProviderKey(id: "KEY1234567", privateKey: try .generate())
        let clock = TestClock()
        let early = ProviderTokenSource(team: "TEAM123456", key: key) { clock.reading }
        let before = try issuedAt(early)
        clock.advance(minutes: 11)
        let late = ProviderTokenSource(team: "TEAM123456", key: key) { clock.reading }
        #expect(try issuedAt(late) == before)
        var changes = 0
        for _ in 0..<120 {
            let last = try issuedAt(early)
            clock.advance(minutes: 1)
            #expect(try issuedAt(early) == issuedAt(late))
            if try issuedAt(early) != last { changes += 1 }
        }
        #expect(changes == 4)
    }

    @Test func `rule 11: two processes never change the token of a connection twice in 20 minutes`() async throws {
        // P25, P26
        let clock = TestClock()
        let changes = Locked<[HTTP2ConnectionID: (token: String, times: [Int64])]>([:])
        try await FakeAPNs.with(clock: clock) { request, _ in
            let authorization = request.headers["authorization"] ?? ""
            changes.withLock { changes in
                let last = changes[request.connection]
                if let last, last.token == authorization { return }
                let times = last.map { $0.times + [clock.reading.wallSeconds] } ?? []
                changes[request.connection] = (authorization, times)
            }
            return .ok
        } _: { fake, first in
            let tokens = ProviderTokenSource(team: "TEAM123456", key: try TestIdentity.shared.get().key) {
                clock.reading
            }
            let second = try APNsClient(loop: fake.loop, endpoint: fake.endpoint, tokens: tokens)
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await second.run() }
                for number in 0..<180 {
                    #expect(await first.send(.test(number), deadline: .seconds(60)).answer?.status == 200)
                    if number > 7 {
                        #expect(await second.send(.test(number), deadline: .seconds(60)).answer?.status == 200)
                    }
                    clock.advance(minutes: 1)
                }
                group.cancelAll()
            }
        }
        let times = changes.withLock { $0.values.map(\.times) }
        #expect(times.count == 2)
        #expect(times.first?.count == 6)
        // All change at the same time.
        #expect(times.first == times.last)
        for (earlier, later) in zip(times[0], times[0].dropFirst()) { #expect(later - earlier >= 20 * 60) }
    }

    @Test func `rule 12: the connections of an old key are closed before the first push with a new one`() async throws {
        try await FakeAPNs.with { fake, old in
            #expect(await old.send(.test(1), deadline: .seconds(60)).answer?.status == 200)
            let tokens = ProviderTokenSource(
                team: "TEAM123456",
                key: ProviderKey(id: "NEWKEY1234", privateKey: try .generate())
            )
            let new = try APNsClient(loop: fake.loop, endpoint: fake.endpoint, tokens: tokens) {
                fake.record.note($0)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                // What comes meanwhile waits: nothing connects before `run`.
                async let outcome = new.send(.test(2), deadline: .seconds(60))
                await old.drain()
                group.addTask { try await new.run() }
                #expect(await outcome.answer?.status == 200)
                group.cancelAll()
                try await group.waitForAll()
            }
            let isOpening = fake.record.clientEvents.map { $0 == .opened }
            #expect(isOpening == [true, false, true, false])
        }
    }

    @Test func `rule 13, rule 14: every push names its provider by a token, and none has a priority of HTTP 2`()
        async throws
    {
        try await FakeAPNs.with { fake, client in
            #expect(await client.sendMany(300).allSatisfy { $0.answer?.status == 200 })
            #expect(fake.record.requests.allSatisfy { $0.authorization.hasPrefix("bearer ") })
            #expect(fake.record.priorities == 0)
        }
    }
}
