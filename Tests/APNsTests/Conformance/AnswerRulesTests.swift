import APNs
import Crypto
import HTTP2
import JSONText
import Runtime
import Testing

/// Sender rules 39 to 47: what becomes of answers.
@Suite(.serialized) struct AnswerRulesTests {
    @Test func `rule 39: a body that is no JSON leaves the status`() async throws {
        try await FakeAPNs.with { _, _ in
            .reply(HTTP2Reply(status: 503, body: Array("<html>".utf8)))
        } _: { _, client in
            #expect(await client.send(.test(), deadline: .seconds(60)).answer == APNsAnswer(status: 503))
        }
    }

    @Test func `rule 40: a dead token comes back with reason and time`() async throws {
        try await FakeAPNs.with { _, _ in
            .refusal(410, "Unregistered", timestamp: 1_790_000_000_123)
        } _: { _, client in
            let answer = await client.send(.test(), deadline: .seconds(60)).answer
            #expect(answer?.status == 410)
            #expect(answer?.reason == .unregistered)
            #expect(answer?.timestampMilliseconds == 1_790_000_000_123)
        }
    }

    @Test func `rule 42: an expired provider token is replaced once and each push tried once more`() async throws {
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

    @Test func `rule 42: a provider token that stays expired is reported after one more attempt`() async throws {
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

    @Test func `rule 43: too many token updates keep the token that is there`() async throws {
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

    @Test func `rule 47: a push that is never answered ends at its deadline and the others do not wait`() async throws {
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

    @Test func `rule 47: a push for which no stream came free is unsent`() async throws {
        try await FakeAPNs.with(streams: 1, settings: .oneConnection) { _, _ in
            .silence
        } _: { fake, client in
            async let first = client.send(.test(1), deadline: .seconds(3))
            while fake.record.requests.isEmpty { try await fake.loop.sleep(for: .milliseconds(2)) }
            #expect(await client.send(.test(2), deadline: .milliseconds(200)).unsentCode == .deadline)
            #expect(await first.unknownCode == .deadline)
        }
    }

    @Test(arguments: [
        (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"), (410, "Unregistered"), (410, "ExpiredToken"),
    ])
    func `rule 40, rule 41: what is wrong with the token is told and not tried again`(
        status: Int,
        reason: String
    )
        async throws
    {
        // P41
        try await told(once: status, reason)
    }

    @Test(arguments: [
        "InvalidProviderToken", "Forbidden", "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken",
    ])
    func `rule 42: a key that is not accepted is told and not tried again`(reason: String) async throws {
        try await told(once: 403, reason)
    }

    @Test func `rule 42: a key that is strange to its connection gets another one, once`() async throws {
        try await FakeAPNs.with { request, fake in
            let isSecond = request.connection != fake.record.connections.first
            return isSecond && request.headers["apns-id"]?.hasSuffix("1") == true
                ? .ok : .refusal(403, "UnrelatedKeyIdInToken")
        } _: { fake, client in
            #expect(await client.send(.test(1), deadline: .seconds(60)).answer?.status == 200)
            #expect(fake.record.connections.count == 2)
            #expect(await client.send(.test(2), deadline: .seconds(60)).answer?.reason == .unrelatedKeyIDInToken)
            #expect(fake.record.requests.count == 4)
        }
    }

    @Test func `rule 42: where our clock is two hours slow, the refusal's date mends the next try`() async throws {
        // P29
        let clock = TestClock()
        try await FakeAPNs.with(clock: clock) { request, _ in
            let apns = clock.reading.wallSeconds + 7200
            let claims = request.headers["authorization"]?.split(separator: ".").dropFirst().first.map { String($0) }
            let issued = claims.flatMap { Base64URL.decode($0) }.flatMap { try? JSON.parse($0)["iat"]?.int64Value }
            let date = HTTP2Field("date", WallClock.httpDate(seconds: apns))
            guard let issued, abs(apns - issued) < 3600 else {
                let body = Array("{\"reason\":\"ExpiredProviderToken\"}".utf8)
                return .reply(HTTP2Reply(status: 403, fields: [date], body: body))
            }
            return .reply(HTTP2Reply(status: 200, fields: [date]))
        } _: { fake, client in
            #expect(client.clockSkew == nil)
            #expect(await client.send(.test(), deadline: .seconds(60)).answer?.status == 200)
            #expect(client.clockSkew == 7200)
            #expect(fake.record.requests.count == 2)
            clock.advance(minutes: 90)
            #expect(await client.send(.test(), deadline: .seconds(60)).answer?.status == 200)
            #expect(fake.record.requests.count == 3)
        }
    }

    @Test func `rule 44: a token that gets too much is told and not tried again`() async throws {
        try await told(once: 429, "TooManyRequests")
    }

    @Test(arguments: [(500, "InternalServerError"), (503, "ServiceUnavailable"), (503, "Service Unavailable")])
    func `rule 45: trouble at APNs is told, for the caller to wait`(status: Int, reason: String) async throws {
        try await told(once: status, reason)
    }

    @Test func `rule 45: Shutdown costs the connection`() async throws {
        try await FakeAPNs.with { request, fake in
            request.connection == fake.record.connections.first ? .refusal(503, "Shutdown") : .ok
        } _: { fake, client in
            #expect(await client.send(.test(1), deadline: .seconds(60)).answer?.reason == .shutdown)
            #expect(await client.send(.test(2), deadline: .seconds(60)).answer?.status == 200)
            #expect(fake.record.connections.count == 2)
        }
    }

    @Test(arguments: [
        (400, "BadPriority"), (400, "MissingTopic"), (404, "BadPath"), (405, "MethodNotAllowed"),
        (413, "PayloadTooLarge"),
    ])
    func `rule 46: a mistake of ours is told and not tried again`(status: Int, reason: String) async throws {
        try await told(once: status, reason)
    }

    private func told(once status: Int, _ reason: String) async throws {
        try await FakeAPNs.with { _, _ in
            .refusal(status, reason)
        } _: { fake, client in
            let answer = await client.send(.test(), deadline: .seconds(60)).answer
            #expect(answer == APNsAnswer(status: status, reason: RejectionReason(rawValue: reason)))
            #expect(fake.record.requests.count == 1)
        }
    }
}
