import API
import HTTPServer
import JSONText
import Runtime
import Testing

/// What stands between the server and the endpoints.
@Suite struct EdgeTests {
    private static func limits(_ change: (inout RequestLimits) -> Void) -> RequestLimits {
        var limits = RequestLimits()
        change(&limits)
        return limits
    }

    @Test func `every answer has an id and the headers that protect its reader`() async throws {
        let bench = Bench()
        for (method, path) in [("GET", "/"), ("GET", "/healthz"), ("GET", "/nowhere"), ("GET", "/v1/orders/o")] {
            let answer = try await bench.send(method, path)
            #expect(answer.headers.first("x-request-id")?.utf8.count == 16)
            #expect(answer.headers.first("x-content-type-options") == "nosniff")
            #expect(answer.headers.first("referrer-policy") == "no-referrer")
            #expect(answer.headers.first("cross-origin-resource-policy") == "same-origin")
            #expect(answer.headers.first("cache-control") == "no-store")
            #expect(answer.headers.all("content-security-policy").count == 1)
        }
    }

    @Test func `a problem names the request that its log line names`() async throws {
        let bench = Bench()
        let answer = try await bench.send("GET", "/v1/orders/o", as: .support)
        let id = try #require(answer.headers.first("x-request-id"))
        #expect(answer.json["instance"] == .string("urn:doorstep:request:\(id)"))
        let line = try JSON.parse(Array(#require(bench.lines.withLock { $0.last }).utf8))
        #expect(line["event"] == "request")
        #expect(line["request"] == .string(id))
        #expect(line["route"] == "GET /v1/orders/{order}")
        #expect(line["status"] == 404)
        #expect(line["by"]?.stringValue?.hasPrefix("key:") == true)
    }

    @Test func `the id that a trusted proxy gave stays, and no other's`() async throws {
        let bench = Bench(
            limits: Self.limits { $0.proxies = TrustedProxies([IPRange("10.0.0.0/8")].compactMap(\.self)) }
        )
        func id(_ given: String, from peer: String) async throws -> String? {
            try await bench.send("GET", "/healthz", headers: [("X-Request-Id", given)], peer: peer)
                .headers.first("x-request-id")
        }
        #expect(try await id("proxy-7.a_B", from: "10.1.1.1") == "proxy-7.a_B")
        #expect(try await id("proxy-7.a_B", from: "203.0.113.9") != "proxy-7.a_B")
        for bad in ["", "a b", "a\"b", String(repeating: "a", count: 65)] {
            #expect(try await id(bad, from: "10.1.1.1") != bad)
        }
    }

    @Test func `a key may ask as often as its limit says, in bursts of two seconds`() async throws {
        let bench = Bench(limits: Self.limits { $0.perKey.perSecond = 2 })
        var left: [String?] = []
        for _ in 0..<4 {
            let answer = try await bench.send("GET", "/v1/orders/o", as: .support)
            #expect(answer.status == 404)
            #expect(answer.headers.first("ratelimit-policy") == #""key";q=4;w=2"#)
            left.append(answer.headers.first("ratelimit"))
        }
        #expect(left == [#""key";r=3;t=1"#, #""key";r=2;t=1"#, #""key";r=1;t=2"#, #""key";r=0;t=2"#])
        let refused = try await bench.send("GET", "/v1/orders/o", as: .support)
        #expect(refused.status == 429)
        #expect(refused.slug == "rate-limited")
        #expect(refused.headers.first("retry-after") == "1")
        #expect(refused.json["violated-policies"] == ["key"])
        // Another key has its own allowance.
        #expect(try await bench.send("GET", "/v1/orders/o", as: .supervisor).status == 404)
        bench.ticks.withLock { $0 = $0 + .milliseconds(499) }
        #expect(try await bench.send("GET", "/v1/orders/o", as: .support).status == 429)
        bench.ticks.withLock { $0 = $0 + .milliseconds(1) }
        #expect(try await bench.send("GET", "/v1/orders/o", as: .support).status == 404)
        #expect(try await bench.send("GET", "/v1/orders/o", as: .support).status == 429)
        bench.ticks.withLock { $0 = $0 + .seconds(3600) }
        #expect(
            try await bench.send("GET", "/v1/orders/o", as: .support).headers.first("ratelimit") == #""key";r=3;t=1"#
        )
    }

    @Test func `who shows no valid key is counted by address`() async throws {
        let bench = Bench(limits: Self.limits { $0.perAddress.perSecond = 1 })
        func status(_ path: String, key: String? = nil, from peer: String) async throws -> Int {
            let headers = key.map { [("Authorization", "Bearer \($0)")] } ?? []
            return try await bench.send("GET", path, headers: headers, peer: peer).status
        }
        let stranger = "203.0.113.9"
        #expect(try await status("/v1/orders/o", key: "dk_support_x_y", from: stranger) == 401)
        #expect(try await status("/nowhere", from: stranger) == 404)
        #expect(try await status("/openapi.yaml", from: stranger) == 429)
        #expect(try await status("/v1/orders/o", key: "dk_support_x_y", from: stranger) == 429)
        // Valid keys go on, and so do probes, other addresses, and the machine itself.
        #expect(try await status("/v1/orders/o", key: bench.text(of: .support), from: stranger) == 404)
        #expect(try await status("/healthz", from: stranger) == 200)
        #expect(try await status("/openapi.yaml", from: "203.0.113.8") == 200)
        for _ in 0..<9 { #expect(try await status("/openapi.yaml", from: "127.0.0.1") == 200) }
    }

    @Test func `behind a trusted proxy the caller is the last address that is none`() async throws {
        let proxies = [IPRange("10.0.0.0/8"), IPRange("127.0.0.1")].compactMap(\.self)
        let bench = Bench(
            limits: Self.limits {
                $0.perAddress.perSecond = 1
                $0.proxies = TrustedProxies(proxies)
            }
        )
        func status(_ forwarded: String?, from peer: String) async throws -> Int {
            let headers = forwarded.map { [("X-Forwarded-For", $0)] } ?? []
            return try await bench.send("GET", "/openapi.yaml", headers: headers, peer: peer).status
        }
        #expect(try await status("203.0.113.9", from: "127.0.0.1") == 200)
        #expect(try await status("8.8.8.8, 203.0.113.9, 10.2.2.2", from: "10.1.1.1") == 200)
        #expect(try await status("9.9.9.9,203.0.113.9", from: "127.0.0.1") == 429)
        #expect(try await status("203.0.113.7", from: "127.0.0.1") == 200)
        // Not a proxy: what it says of others counts for nothing.
        for turn in 0..<3 { #expect(try await status("8.8.8.\(turn)", from: "198.51.100.1") == (turn < 2 ? 200 : 429)) }
    }

    @Test func `beyond what may be under way callers are told to come back`() async throws {
        let bench = Bench(limits: Self.limits { $0.underWay = 0 })
        let refused = try await bench.post(event())
        #expect(refused.status == 503)
        #expect(refused.slug == "overloaded")
        #expect(refused.headers.first("retry-after") == "1")
        #expect(bench.log.isEmpty)
        #expect(try await bench.send("GET", "/healthz").status == 200)
        #expect(try await bench.send("GET", "/readyz").status == 200)
    }

    @Test(arguments: RequestLimits.AccessLog.allCases)
    func `the log tells of all requests, of problems, or of none`(choice: RequestLimits.AccessLog) async throws {
        let bench = Bench(limits: Self.limits { $0.accessLog = choice })
        #expect(try await bench.post(event()).status == 202)
        #expect(try await bench.send("GET", "/v1/orders/secret-order", as: .support).status == 404)
        let lines = bench.lines.withLock { $0.filter { $0.contains(#""event":"request""#) } }
        switch choice {
        case .all: #expect(lines.count == 2)
        case .problems: #expect(lines.count == 1)
        case .off: #expect(lines.isEmpty)
        }
        #expect(!lines.contains { $0.contains("secret-order") || $0.contains(bench.text(of: .support)) })
    }

    @Test func `the figures name routes, never paths`() async throws {
        let bench = Bench()
        _ = try await bench.send("GET", "/v1/orders/secret-order", as: .support)
        _ = try await bench.send("GET", "/secret")
        let text = bench.metrics.exposition()
        #expect(text.contains(#"doorstep_requests_total{route="GET /v1/orders/{order}",status="4xx"} 1"#))
        #expect(text.contains(#"doorstep_requests_total{route="other",status="4xx"} 1"#))
        #expect(text.contains(#"doorstep_request_seconds_count{route="GET /v1/orders/{order}"} 1"#))
        #expect(text.contains("doorstep_requests_under_way 0"))
        #expect(!text.contains("secret"))
    }
}

/// W3C Trace Context, through an event.
@Suite struct TraceTests {
    private static let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test(arguments: [
        (good, true), ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", true),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", false),
        ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
        ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false),
        ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false), ("00-1-2-3", false),
    ])
    func `a trace is kept with the event, and what is none is passed over`(text: String, isKept: Bool) async throws {
        let bench = Bench()
        #expect(try await bench.post(event(["traceparent": .string(text)])).status == 202)
        #expect(bench.log.first?.traceParent == (isKept ? text : nil))
    }

    @Test func `the event's own trace goes before the request's`() async throws {
        let bench = Bench()
        let type = ("Content-Type", "application/cloudevents+json")
        let other = Self.good.replacing("4bf9", with: "ffff")
        for (id, own) in [("e-1", nil), ("e-2", JSON.string(other))] {
            let body = event(["id": .string(id), "traceparent": own]).serialized()
            _ = try await bench.send(
                "POST",
                "/v1/events",
                as: .ingest,
                headers: [type, ("traceparent", Self.good)],
                body: body
            )
        }
        #expect(bench.log.map(\.traceParent) == [Self.good, other])
    }
}
