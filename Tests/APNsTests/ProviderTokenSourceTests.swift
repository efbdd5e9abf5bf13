import Crypto
import JSONText
import Runtime
import Testing

@testable import APNs

struct ProviderTokenSourceTests {
    @Test func `a token is what RFC 7515 and Apple ask for`() throws {
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

    @Test func `many callers at once share one token`() async throws {
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

    @Test func `two processes issue as of the same time and change at the same time`() async throws {
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

    @Test func `an hour between our clock and APNs' is seen and made up for`() throws {
        // P29
        let clock = TestClock()
        let key = ProviderKey(id: "KEY1234567", privateKey: try .generate())
        let source = ProviderTokenSource(team: "TEAM123456", key: key) { clock.reading }
        #expect(source.clockSkew == nil)
        let before = try issuedAt(source)
        source.compare(withAPNs: clock.reading.wallSeconds + 3)
        #expect(source.clockSkew == 3)
        #expect(try issuedAt(source) == before)
        source.compare(withAPNs: clock.reading.wallSeconds - 3600)
        #expect(source.clockSkew == -3600)
        #expect(try issuedAt(source) == before - 3600)
        source.compare(withAPNs: clock.reading.wallSeconds - 3590)
        #expect(source.clockSkew == -3590)
        clock.advance(minutes: 1)
        #expect(try issuedAt(source) == before - 3600)
        source.compare(withAPNs: clock.reading.wallSeconds)
        #expect(try issuedAt(source) == before)
    }

    private func issuedAt(_ source: ProviderTokenSource) throws -> Int64 {
        let claims = try source.token().authorization.split(separator: ".")[1]
        let bytes = try #require(Base64URL.decode(claims))
        return try #require(try JSON.parse(bytes)["iat"]?.int64Value)
    }
}
