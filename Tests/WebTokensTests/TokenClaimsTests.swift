import JSONText
import Testing
import WebTokens

struct TokenClaimsTests {
    private static let now: Int64 = 1_800_000_000
    private let rules = TokenRules(issuer: "https://login.example", audience: "doorstep")

    private func judge(_ changes: KeyValuePairs<String, JSON?> = [:]) -> Result<String, TokenRefusal> {
        var claims: JSONObject = [
            "iss": "https://login.example", "aud": "doorstep", "sub": "c-1", "exp": .integer(Int(Self.now) + 10),
        ]
        for (name, value) in changes { claims[name] = value }
        return Result { () throws(TokenRefusal) in try rules.subject(of: .object(claims), at: Self.now) }
    }

    @Test func `a token for us names its subject`() {
        #expect(judge() == .success("c-1"))
        #expect(judge(["aud": ["other", "doorstep"]]) == .success("c-1"))
        #expect(judge(["exp": .number("1800000000.5"), "iat": 1_799_999_000, "nbf": 1_800_000_060]) == .success("c-1"))
        #expect(judge(["sub": .string(String(repeating: "é", count: 127))]) != .failure(.noSubject))
    }

    @Test func `the issuer's clock may be off by as much as the rules allow`() {
        #expect(judge(["exp": .integer(Int(Self.now) - 59)]) == .success("c-1"))
        #expect(judge(["exp": .integer(Int(Self.now) - 60)]) == .failure(.expired))
        #expect(judge(["nbf": .integer(Int(Self.now) + 61)]) == .failure(.tooEarly))
        #expect(judge(["iat": .integer(Int(Self.now) + 61)]) == .failure(.tooEarly))
    }

    @Test(
        arguments: [
            "other", "DOORSTEP", "doorstep ", "", nil, 7, [], ["other"], ["doorstep", 7], ["a": "doorstep"],
        ] as [JSON?]
    )
    func `another audience is not ours`(audience: JSON?) {
        #expect(judge(["aud": audience]) == .failure(.notForUs))
    }

    @Test(arguments: ["https://login.example/", "http://login.example", nil, ["https://login.example"]] as [JSON?])
    func `another issuer is not ours`(issuer: JSON?) {
        #expect(judge(["iss": issuer]) == .failure(.notForUs))
    }

    @Test(arguments: [nil, "", 7, .string("a\u{0}b"), .string(String(repeating: "a", count: 256))] as [JSON?])
    func `a subject is a text of 1 to 255 bytes`(subject: JSON?) {
        #expect(judge(["sub": subject]) == .failure(.noSubject))
    }

    @Test func `a token without an end, or with times that are none, is refused`() {
        #expect(judge(["exp": nil]) == .failure(.endless))
        #expect(judge(["exp": "1900000000"]) == .failure(.endless))
        #expect(judge(["exp": .null]) == .failure(.endless))
        #expect(judge(["nbf": "0"]) == .failure(.tooEarly))
    }
}
