import API
import HTTPServer
import JSONText
import Runtime
import Testing

@Suite struct OperationsTests {
    let bench = Bench()

    @Test func `health needs nothing, readiness tells what is missing`() async throws {
        #expect(try await bench.send("GET", "/healthz").json == ["status": "ok"])
        #expect(try await bench.send("GET", "/readyz").json == ["ready": true, "checks": ["database": true]])
        bench.service.state.withLock { $0.isReady = false }
        let answer = try await bench.send("GET", "/readyz")
        #expect(answer.status == 503)
        #expect(answer.json == ["ready": false, "checks": ["database": false]])
        #expect(try await bench.send("GET", "/healthz").status == 200)
    }

    @Test func `metrics are Prometheus' text`() async throws {
        let answer = try await bench.send("GET", "/metrics", as: .operator)
        #expect(answer.headers.first("content-type") == "text/plain; version=0.0.4; charset=utf-8")
        #expect(String(decoding: answer.body, as: UTF8.self).hasPrefix("# HELP"))
    }

    @Test func `the description and the page for people are served`() async throws {
        let description = try await bench.send("GET", "/openapi.yaml")
        #expect(String(decoding: description.body, as: UTF8.self) == (try Repository.text(of: "openapi.yaml")))
        let page = try await bench.send("GET", "/")
        #expect(page.headers.first("content-type") == "text/html; charset=utf-8")
        #expect(String(decoding: page.body, as: UTF8.self).contains("/v1/orders/{order}/timeline"))
    }

    @Test(arguments: [
        (Unavailable.Code.rateLimited, 429, "rate-limited"), (.overloaded, 503, "overloaded"),
        (.databaseUnavailable, 503, "database-unavailable"),
    ])
    func `a service that cannot take a call asks to come back`(
        code: Unavailable.Code,
        status: Int,
        slug: String
    ) async throws {
        let refusal = Unavailable(code, retryAfterSeconds: 3)
        bench.service.state.withLock {
            $0.unavailable = refusal
            $0.outcome = .unavailable(refusal)
        }
        let answers = [
            try await bench.post(event()), try await bench.send("GET", "/v1/orders/o", as: .support),
            try await bench.send("GET", "/v1/orders/o/timeline", as: .support),
            try await bench.send("PUT", "/v1/orders/o/customers/c", as: .device),
            try await bench.send("PUT", "/v1/devices/d", as: .device, body: Array("{}".utf8)),
            try await bench.send("DELETE", "/v1/devices/d", as: .device),
        ]
        for answer in answers {
            #expect(answer.status == status)
            #expect(answer.slug == slug)
            #expect(answer.headers.first("retry-after") == "3")
        }
        #expect(bench.metrics.exposition().contains(#"doorstep_events_total{source="kitchen",result="unavailable"} 1"#))
    }

    @Test func `waiting is at least a second`() {
        #expect(Unavailable(.overloaded, retryAfterSeconds: 0).retryAfterSeconds == 1)
    }
}
