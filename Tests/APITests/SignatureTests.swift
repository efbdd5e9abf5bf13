import API
import Crypto
import HTTPServer
import JSONText
import Runtime
import Testing

/// Deliveries that are signed as Standard Webhooks 1.0 has it.
@Suite struct SignatureTests {
    let bench = Bench()
    private let key = [UInt8](repeating: 7, count: 32)
    private let now = Bench.now / 1_000_000

    init() throws {
        let secret = try #require(WebhookSecret(Self.text(key)))
        bench.service.state.withLock { $0.sources["kitchen"] = SourceSettings(secrets: [secret]) }
    }

    private static func text(_ key: [UInt8]) -> String { "whsec_" + Base64.encode(key) }

    private func signature(_ body: [UInt8], id: String, at time: Int64, key: [UInt8]) -> String {
        "v1," + Base64.encode(hmacSHA256(key: key, message: Array("\(id).\(time).".utf8) + body))
    }

    private func send(
        _ body: [UInt8],
        signature: String,
        at time: Int64? = nil,
        query: String = "",
        type: String = "application/cloudevents+json"
    ) async throws -> Bench.Answer {
        try await bench.send(
            "POST",
            "/v1/events" + query,
            headers: [
                ("Content-Type", type), ("webhook-id", "msg-1"), ("webhook-timestamp", "\(time ?? now)"),
                ("webhook-signature", signature),
            ],
            body: body
        )
    }

    private func sign(_ body: [UInt8], at time: Int64? = nil) -> String {
        signature(body, id: "msg-1", at: time ?? now, key: key)
    }

    @Test func `a signed event is its source's`() async throws {
        let body = event().serialized()
        let answer = try await send(body, signature: sign(body))
        #expect(answer.status == 202)
        #expect(answer.json["app"] == "demo")
        #expect(bench.log.map(\.source) == ["kitchen"])
    }

    @Test func `the example of the standard is accepted`() throws {
        // From the reference implementation's tests: anybody's library can be checked against it.
        let body = Array(#"{"test": 2432232314}"#.utf8)
        let key = try #require(Base64.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signed = signature(body, id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: 1_614_265_330, key: key)
        #expect(signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    // D25
    @Test func `bytes are signed, whatever they mean`() async throws {
        let body = event([
            "subject": "\u{20B9} \u{645}\u{631}\u{62D}\u{628}\u{627} \u{1F469}\u{1F3FD}\u{200D}\u{1F373} \u{2028}"
        ])
        .serialized()
        #expect(try await send(body, signature: sign(body)).status == 202)
        var spaced = body
        spaced.insert(UInt8(ascii: " "), at: 1)
        #expect(try await send(spaced, signature: sign(body)).status == 401)
    }

    @Test func `one of several signatures and one of several secrets suffice`() async throws {
        let body = event().serialized()
        let others = "v1a,AAAA \(signature(body, id: "msg-1", at: now, key: [UInt8](repeating: 1, count: 24)))"
        #expect(try await send(body, signature: "\(others) \(sign(body))").status == 202)
        let secrets = [[UInt8](repeating: 9, count: 24), key].compactMap { WebhookSecret(Self.text($0)) }
        bench.service.state.withLock { $0.sources["kitchen"]?.secrets = secrets }
        #expect(try await send(body, signature: sign(body)).status == 200)
    }

    // D25
    @Test(arguments: ["v1,", "v1", "", "v2,AAAA", "v1,\u{FC}", "v1,AAAA", "v1a,AAAA"])
    func `what is no signature of the body is refused`(signature: String) async throws {
        let answer = try await send(event().serialized(), signature: signature)
        #expect(answer.status == 401)
        #expect(answer.slug == "unauthenticated")
        #expect(bench.log.isEmpty)
    }

    @Test(arguments: [(-301, 401), (-300, 202), (300, 202), (301, 401)])
    func `five minutes are tolerated`(seconds: Int64, status: Int) async throws {
        let body = event().serialized()
        #expect(try await send(body, signature: sign(body, at: now + seconds), at: now + seconds).status == status)
    }

    @Test func `a signature stands for no other source, app or time`() async throws {
        let other = event(["source": "courier"]).serialized()
        #expect(try await send(other, signature: sign(other)).status == 401)
        let body = event().serialized()
        #expect(try await send(body, signature: sign(body), query: "?app=demo-early").status == 401)
        #expect(try await send(body, signature: sign(body), at: now + 1).status == 401)
        let batch = JSON.array([event(), event(["source": "courier", "id": "2"])]).serialized()
        let answer = try await send(batch, signature: sign(batch), type: "application/cloudevents-batch+json")
        #expect(answer.status == 207)
        #expect(answer.json["results"]?[0]?["status"] == 202)
        #expect(answer.json["results"]?[1]?["status"] == 403)
    }

    @Test func `a key wins over a signature, and only events may be signed`() async throws {
        let body = event().serialized()
        let headers = [("Content-Type", "application/cloudevents+json"), ("webhook-signature", "v1,AAAA")]
        #expect(try await bench.send("POST", "/v1/events", as: .ingest, headers: headers, body: body).status == 202)
        let other = try await bench.send("PUT", "/v1/orders/o/customers/c", headers: headers, body: [])
        #expect(other.status == 401)
    }

    @Test(arguments: ["whsec_", "whsec_AAAA", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_\u{FC}"])
    func `a secret that is none is refused`(text: String) {
        #expect(WebhookSecret(text) == nil)
    }

    @Test func `a secret does not tell itself`() throws {
        #expect("\(try #require(WebhookSecret(Self.text(key))))" == "whsec_…")
    }

    // MARK: - Handshake

    @Test func `a sender that asks is welcome`() async throws {
        let headers = [("WebHook-Request-Origin", "events.example.com"), ("WebHook-Request-Rate", "120")]
        let answer = try await bench.send("OPTIONS", "/v1/events", headers: headers)
        #expect(answer.status == 200)
        #expect(answer.headers.first("webhook-allowed-origin") == "events.example.com")
        #expect(answer.headers.first("webhook-allowed-rate") == "*")
        let plain = try await bench.send("OPTIONS", "/v1/events")
        #expect(plain.headers.first("allow") == "OPTIONS, POST")
        #expect(plain.headers.first("webhook-allowed-origin") == nil)
    }
}
