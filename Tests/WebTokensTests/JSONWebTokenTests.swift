import Crypto
import JSONText
import Runtime
import Testing
import WebTokens

struct JSONWebTokenTests {
    private let secret = TokenKey(secret: Base64URL.decode(Vectors.secret) ?? [])

    @Test(arguments: ["HS256", "RS256", "ES256", "EdDSA"])
    func `the examples of the standards are signed, each with its own key alone`(algorithm: String) throws {
        let token = try #require(Vectors.tokens[algorithm].flatMap { JSONWebToken($0) })
        #expect(token.algorithm == algorithm)
        let set = try #require(TokenKeys(keySet: ["keys": [Vectors.rsa, Vectors.p256, Vectors.ed25519]]))
        #expect(token.isSigned(with: secret) == (algorithm == "HS256"))
        #expect(set.verify(token) == (algorithm != "HS256"))
        #expect((set + TokenKeys([secret])).verify(token))
    }

    @Test(arguments: ["HS256", "RS256", "ES256", "EdDSA"], 1...40 as ClosedRange<UInt64>)
    func `no change of a signed token goes unnoticed`(algorithm: String, seed: UInt64) throws {
        let set = try #require(TokenKeys(keySet: ["keys": [Vectors.rsa, Vectors.p256, Vectors.ed25519]]))
        let keys = set + TokenKeys([secret])
        var random = SplitMix64(seed: seed)
        var bytes = Array(try #require(Vectors.tokens[algorithm]).utf8)
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let old = bytes[place]
            while bytes[place] == old { bytes[place] = UInt8.random(in: 0x21...0x7E, using: &random) }
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(UInt8.random(in: 0...127, using: &random), at: place)
        default: bytes.removeLast(bytes.count - place)
        }
        let token = JSONWebToken(String(decoding: bytes, as: UTF8.self))
        #expect(token.map { keys.verify($0) } != true)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `arbitrary text is read or refused`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let alphabet = Array("eyJhbGciOiI.=_-{}\":,\u{0}é".utf8)
        let count = Int.random(in: 0...200, using: &random)
        let text = (0..<count).map { _ in alphabet[Int.random(in: alphabet.indices, using: &random)] }
        if let token = JSONWebToken(String(decoding: text, as: UTF8.self)) {
            #expect(!TokenKeys([secret]).verify(token))
        }
    }

    @Test(arguments: [
        #"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"alg":"HS384"}"#, #"{"alg":""}"#, #"{"alg":"HS256 "}"#,
    ])
    func `an algorithm that is no key's is never signed`(header: String) throws {
        let token = try #require(JSONWebToken(Self.text(header, signature: [])))
        #expect(!TokenKeys([secret]).verify(token))
    }

    /// The classic confusion: a public key taken for a secret.
    @Test func `a public key is no secret`() throws {
        let set = try #require(TokenKeys(keySet: ["keys": [Vectors.rsa, Vectors.p256]]))
        for key in [Vectors.rsa.serialized(), Vectors.p256.serialized()] {
            let signed = Self.text(#"{"alg":"HS256"}"#, signature: []).dropLast()
            let code = Base64URL.encode(hmacSHA256(key: key, message: Array(signed.utf8)))
            #expect(!set.verify(try #require(JSONWebToken("\(signed).\(code)"))))
        }
    }

    @Test(arguments: [
        #"{"alg":"HS256","crit":["exp"]}"#, #"{"alg":"HS256","crit":[]}"#, #"{"alg":"HS256","alg":"none"}"#,
        #"{"alg":7}"#, #"{}"#, #"[]"#, #"{"alg":"HS256","kid":7}"#, #"{"alg":"HS256","kid":"a\u0000"}"#, "",
    ])
    func `such a header is refused`(header: String) {
        #expect(JSONWebToken(Self.text(header, signature: [])) == nil)
    }

    @Test func `padding, white space, and parts too many or too few are refused`() throws {
        let good = try #require(Vectors.tokens["HS256"])
        for text in [
            good + "=", good + " ", " " + good, good + ".", "." + good, good + ".x", "", "a.b", "..", good + "\n",
        ] {
            #expect(JSONWebToken(text) == nil)
        }
    }

    @Test func `a key that is named is taken, and no other`() throws {
        func key(_ id: String) -> JSON { .object(Self.with(Vectors.ed25519, "kid", .string(id))) }
        let token = try #require(Vectors.tokens["EdDSA"].flatMap { JSONWebToken($0) })
        #expect(try #require(TokenKeys(keySet: ["keys": [key("a"), key("b")]])).verify(token))
        let parts = try #require(Vectors.tokens["EdDSA"]).split(separator: ".")
        let header = Base64URL.encode(Array(#"{"alg":"EdDSA","kid":"../a"}"#.utf8))
        let named = try #require(JSONWebToken("\(header).\(parts[1]).\(parts[2])"))
        #expect(named.keyID == "../a")
        #expect(!(try #require(TokenKeys(keySet: ["keys": [key("a")]])).know(named)))
        #expect(try #require(TokenKeys(keySet: ["keys": [key("../a")]])).know(named))
    }

    @Test func `keys of other kinds are passed over, and a set of none is no set`() {
        let others: [JSON] = [
            ["kty": "oct", "k": "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ"], ["kty": "EC", "crv": "P-384"], ["kty": "RSA"],
            .object(Self.with(Vectors.rsa, "use", "enc")), .object(Self.with(Vectors.rsa, "alg", "RS512")),
            .object(Self.with(Vectors.rsa, "n", "AQAB")),
            .object(Self.with(Vectors.p256, "y", Vectors.p256["x"] ?? "")),
            .object(Self.with(Vectors.rsa, "key_ops", ["encrypt"])), .object(Self.with(Vectors.ed25519, "x", "AQAB")),
        ]
        for other in others { #expect(TokenKeys(keySet: ["keys": [other]]) == nil, "\(other)") }
        #expect(TokenKeys(keySet: ["keys": .array(others + [Vectors.rsa])]) != nil)
        #expect(TokenKeys(keySet: [:]) == nil)
        #expect(TokenKeys(keySet: ["keys": .array(Array(repeating: Vectors.rsa, count: 65))]) == nil)
    }

    private static func with(_ json: JSON, _ name: String, _ value: JSON) -> JSONObject {
        var object = json.objectValue ?? JSONObject()
        object[name] = value
        return object
    }

    private static func text(_ header: String, signature: [UInt8]) -> String {
        "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(#"{"sub":"c"}"#.utf8)))."
            + Base64URL.encode(signature)
    }
}
