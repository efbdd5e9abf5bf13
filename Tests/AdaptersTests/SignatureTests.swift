import Adapters
import Crypto
import JSONText
import Testing

/// Whom webhooks are believed.
struct SignatureTests {
    private static let signed = Hooks.platforms

    private func hook(_ platform: String) throws -> JSON { try #require(try Hooks.delivery(platform).first) }

    @Test(arguments: signed)
    func `the right secret is accepted, also as one of several`(platform: String) throws {
        let adapter = try Hooks.adapter(platform)
        let request = Hooks.request(platform, try hook(platform))
        let secret = Hooks.secret(platform)
        #expect(adapter.needsSecret)
        #expect(adapter.isAuthentic(request, secrets: [secret]))
        #expect(adapter.isAuthentic(request, secrets: ["", "00", secret, "other"]))
    }

    @Test(arguments: signed)
    func `another secret, an empty one or none is refused`(platform: String) throws {
        let adapter = try Hooks.adapter(platform)
        let hook = try hook(platform)
        #expect(!adapter.isAuthentic(Hooks.request(platform, hook), secrets: []))
        #expect(!adapter.isAuthentic(Hooks.request(platform, hook), secrets: ["00ff7f3a91", "other:secret"]))
        #expect(!adapter.isAuthentic(Hooks.request(platform, hook, secret: ""), secrets: [""]))
    }

    // Basic authentication and Shipday's token say nothing of the body.
    @Test(arguments: ["uber-direct", "onfleet", "deliveroo", "square", "wolt-drive"])
    func `a flipped byte of the body is refused`(platform: String) throws {
        let adapter = try Hooks.adapter(platform)
        let request = Hooks.request(platform, try hook(platform))
        for index in stride(from: 0, to: request.body.count, by: 7) {
            var body = request.body
            body[index] ^= 1
            let forged = HookRequest(method: "POST", url: request.url, headers: request.headers, body: body)
            #expect(!adapter.isAuthentic(forged, secrets: [Hooks.secret(platform)]))
        }
    }

    @Test(arguments: ["uber-direct", "onfleet", "deliveroo", "square", "shipday", "doordash-drive"])
    func `a header that is missing, doubled, changed or not ASCII is refused`(platform: String) throws {
        // D25
        let adapter = try Hooks.adapter(platform)
        let secrets = [Hooks.secret(platform), "ü"]
        let request = Hooks.request(platform, try hook(platform))
        for (index, header) in request.headers.enumerated() {
            for value in [
                nil, "", "ü", header.value + "ü", header.value.dropLast() + "\u{0}", "00", "Basic", "Basic =",
            ] {
                var headers = request.headers
                if let value { headers[index].value = value } else { headers.remove(at: index) }
                let other = HookRequest(method: "POST", url: request.url, headers: headers, body: request.body)
                #expect(!adapter.isAuthentic(other, secrets: secrets))
            }
            let doubled = HookRequest(
                method: "POST",
                url: request.url,
                headers: request.headers + [header],
                body: request.body
            )
            #expect(!adapter.isAuthentic(doubled, secrets: secrets))
        }
    }

    @Test(arguments: signed)
    func `any script in the body leaves the signature valid`(platform: String) throws {
        // D25
        let name = "₹ مرحبا 👩🏽‍🍳 \u{2028} é e\u{301}"
        let request = Hooks.request(platform, try hook(platform).with(.string(name), at: "note"))
        #expect(try Hooks.adapter(platform).isAuthentic(request, secrets: [Hooks.secret(platform)]))
        #expect(try Hooks.adapter(platform).events(from: request, source: "s").isEmpty == false)
    }

    @Test func `Square signs the address it was told`() throws {
        let request = Hooks.request("square", try hook("square"))
        let other = HookRequest(
            method: "POST",
            url: request.url + "?app=demo",
            headers: request.headers,
            body: request.body
        )
        #expect(try !Hooks.adapter("square").isAuthentic(other, secrets: [Hooks.secret("square")]))
    }

    @Test func `Onfleet's secret is hexadecimal and its signature SHA-512`() throws {
        let body = try hook("onfleet").serialized()
        let key = try #require(Hex.decode(Hooks.secret("onfleet")))
        let adapter = try Hooks.adapter("onfleet")
        for (signature, isRight) in [
            (hmacSHA512(key: key, message: body), true), (hmacSHA256(key: key, message: body), false),
            (hmacSHA512(key: Array(Hooks.secret("onfleet").utf8), message: body), false),
        ] {
            let request = HookRequest(
                method: "POST",
                url: Hooks.url,
                headers: [("X-Onfleet-Signature", Hex.encode(signature))],
                body: body
            )
            #expect(adapter.isAuthentic(request, secrets: [Hooks.secret("onfleet")]) == isRight)
        }
        #expect(!adapter.isAuthentic(Hooks.request("onfleet", body: body), secrets: ["no hex"]))
    }

    @Test func `a prefix belongs to the signature`() throws {
        let text =
            #"{"adapter":"doorstep.adapter.v1","name":"own","signature":{"scheme":"hmac","header":"X-Sum","prefix":"sha256="},"#
            + #""id":"{id}","subject":"{o}","type":"{t}"}"#
        let adapter = try Adapter(Array(text.utf8))
        let sum = Hex.encode(hmacSHA256(key: Array("s".utf8), message: Array("{}".utf8)))
        for (value, isRight) in [("sha256=\(sum)", true), (sum, false), ("sha512=\(sum)", false), ("sha256=", false)] {
            let request = HookRequest(method: "POST", url: "/", headers: [("x-sum", value)], body: Array("{}".utf8))
            #expect(adapter.isAuthentic(request, secrets: ["s"]) == isRight)
        }
    }

    @Test(arguments: [#"{"alg":"none"}"#, #"{"alg":"HS512"}"#, #"{"alg":"hs256"}"#, "{}", "[]", "no JSON"])
    func `a token of another algorithm is none`(header: String) throws {
        let secret = Hooks.secret("wolt-drive")
        let body = Hooks.token(try hook("wolt-drive"), secret, header: header)
        let request = HookRequest(method: "POST", url: Hooks.url, headers: [], body: body)
        #expect(try !Hooks.adapter("wolt-drive").isAuthentic(request, secrets: [secret]))
        #expect(throws: AdapterError.self) { try Hooks.adapter("wolt-drive").events(from: request, source: "s") }
    }

    @Test func `only Onfleet asks whether somebody listens`() throws {
        let query = [(name: "x", value: "y"), (name: "check", value: "7f3a +ü")]
        for platform in Hooks.platforms {
            let answer = try Hooks.adapter(platform).challenge(query: query)
            #expect(answer == (platform == "onfleet" ? Array("7f3a +ü".utf8) : nil))
        }
        let onfleet = try Hooks.adapter("onfleet")
        #expect(onfleet.challenge(query: []) == nil)
        #expect(onfleet.challenge(query: [(name: "check", value: "")]) == nil)
        #expect(onfleet.challenge(query: [(name: "check", value: String(repeating: "a", count: 257))]) == nil)
    }
}
