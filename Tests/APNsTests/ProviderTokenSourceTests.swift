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
        // P31: numeric seconds.
        #expect(try JSON.parse(decoded[1]) == ["iss": "TEAM123456", "iat": 1_790_000_000])
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
}
