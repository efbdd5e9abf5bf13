import API
import Adapters
import Crypto
import HTTPServer
import JSONText
import Runtime
import Testing
import Tracking

/// Webhooks of delivery platforms, as they are.
@Suite struct HooksTests {
    let bench = Bench()
    private let webhook: JSON = [
        "timestamp": 1_796_039_940_000, "event": "ORDER_ONTHEWAY", "order_status": "READY_TO_DELIVER",
        "order": ["id": 100_071, "order_number": "1001"],
    ]

    /// The source takes webhooks of this platform, with these secrets.
    private func take(_ adapter: String, as source: String, secrets: [String] = []) {
        var settings = SourceSettings()
        settings.adapter = Adapter.builtIn.first { $0.name == adapter }
        settings.platformSecrets = secrets
        bench.service.state.withLock { $0.sources[source] = settings }
    }

    private func post(
        _ name: String,
        as role: Role? = nil,
        _ headers: [(String, String)] = [],
        _ body: [UInt8]? = nil
    ) async throws -> Bench.Answer {
        try await bench.send(
            "POST",
            "/v1/hooks/\(name)",
            as: role,
            headers: [("Content-Type", "application/json")] + headers,
            body: body ?? webhook.serialized()
        )
    }

    @Test func `a platform that proves who it is posts for its source`() async throws {
        take("shipday", as: "our-shipday", secrets: ["old", "new"])
        let answer = try await post("our-shipday", [("token", "new")])
        #expect(answer.status == 202)
        #expect(answer.json["results"]?[0]?["source"] == "our-shipday")
        #expect(answer.json["results"]?[0]?["subject"] == "1001")
        #expect(bench.log.map(\.type.word) == ["order.on_the_way"])
        let repeated = try await post("our-shipday", [("token", "old")])
        #expect(repeated.json["results"]?[0]?["duplicate"] == true)
    }

    @Test(arguments: [[], [("token", "")], [("token", "another")], [("Authorization", "Basic bmV3")]])
    func `one that does not is refused, whatever it lacks`(headers: [(String, String)]) async throws {
        take("shipday", as: "shipday", secrets: ["new"])
        let answer = try await post("shipday", headers)
        #expect(answer.status == 401)
        #expect(answer.slug == "unauthenticated")
        #expect(bench.log.isEmpty)
    }

    @Test func `without a secret nobody is believed`() async throws {
        take("shipday", as: "shipday")
        #expect(try await post("shipday", [("token", "")]).status == 401)
        #expect(try await post("uber-direct").status == 401)
    }

    @Test func `the bytes as they came are signed`() async throws {
        take("uber-direct", as: "uber", secrets: ["s"])
        let body =
            Array(#"{"id":"evt_1","kind":"event.delivery_status","status":"pickup","#.utf8)
            + Array(#""created":"2026-11-30T11:59:00Z","data":{"external_id":"1001","id":"del_1"}}"#.utf8)
        let signature = Hex.encode(hmacSHA256(key: Array("s".utf8), message: body))
        #expect(try await post("uber", [("x-uber-signature", signature)], body).status == 202)
        #expect(try await post("uber", [("x-uber-signature", signature)], body + [0x20]).status == 401)
    }

    @Test func `who holds a key needs no signature and, built in, no configuration`() async throws {
        #expect(try await post("shipday", as: .ingest).status == 202)
        #expect(bench.log.map(\.source) == ["shipday"])
        #expect(try await post("nobody", as: .ingest).status == 404)
        #expect(try await post("shipday", as: .device).status == 403)
    }

    @Test func `a key for other sources posts none`() async throws {
        bench.allow(.ingest, apps: ["demo"], sources: ["kitchen"])
        let answer = try await post("shipday", as: .ingest)
        #expect(answer.status == 207)
        #expect(answer.json["results"]?[0]?["status"] == 403)
    }

    @Test(
        arguments: [
            ("{", 400, "invalid-json"), ("{}", 422, "invalid-event"), (#"{"event":7}"#, 422, "invalid-event"),
        ] as [(String, Int, String)]
    )
    func `a body that is not the platform's is refused with its places`(
        body: String,
        status: Int,
        slug: String
    ) async throws {
        let answer = try await post("shipday", as: .ingest, [], Array(body.utf8))
        #expect(answer.status == status)
        #expect(answer.slug == slug)
        if status == 422 { #expect(!answer.faults.isEmpty) }
    }

    @Test func `what cannot be kept for now is sent again as a whole`() async throws {
        bench.service.state.withLock { $0.outcome = .unavailable(Unavailable(.databaseUnavailable)) }
        let answer = try await post("shipday", as: .ingest)
        #expect(answer.status == 503)
        #expect(answer.headers.first("retry-after") != nil)
    }

    @Test func `what no repeat would mend is 207, so that the platform goes on`() async throws {
        bench.service.state.withLock { $0.outcome = .idReused }
        let answer = try await post("shipday", as: .ingest)
        #expect(answer.status == 207)
        #expect(answer.json["results"]?[0]?["status"] == 409)
    }

    @Test func `a platform that asks gets its word back`() async throws {
        let answer = try await bench.send("GET", "/v1/hooks/onfleet?check=abc%20d")
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self) == "abc d")
        #expect(try await bench.send("GET", "/v1/hooks/onfleet").status == 404)
        #expect(try await bench.send("GET", "/v1/hooks/shipday?check=a").status == 404)
        #expect(try await bench.send("GET", "/v1/hooks/nobody?check=a").status == 404)
    }
}
