import Crypto
import JSONText
import Testing

@testable import APNs

struct ProviderTokenSourceTests {
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
}

/// The time of issue of the token that a source gives out now.
func issuedAt(_ source: ProviderTokenSource) throws -> Int64 {
    let claims = try source.token().authorization.split(separator: ".")[1]
    let bytes = try #require(Base64URL.decode(claims))
    return try #require(try JSON.parse(bytes)["iat"]?.int64Value)
}
