import API
import Crypto
import HTTPClient
import HTTPServer
import JSONText
import Runtime
import Testing

/// The same interface through a real server and client on the loopback interface.
@Suite struct WireTests {
    private let bench = Bench()
    private let event = ("Content-Type", "application/cloudevents+json")

    private func serving(_ body: @Sendable (HTTPClient) async throws -> Void) async throws {
        let loop = try EventLoop.start(name: "api-test")
        defer { loop.stop() }
        let edge = bench.edge
        let server = HTTPServer(loop: loop, settings: HTTPServerSettings(), faultResponse: edge.respond(to:)) {
            request in
            await edge.respond(to: request)
        }
        let port = try await server.start()
        let running = Task(executorPreference: loop.tasks) { try await server.run() }
        let client = HTTPClient(loop: loop, baseURL: "http://127.0.0.1:\(port)", maxConnections: 4)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(client))
        } catch {
            result = .failure(error)
        }
        running.cancel()
        _ = await running.result
        try result.get()
    }

    private func key(_ role: Role) -> (String, String) { ("Authorization", "Bearer \(bench.text(of: role))") }

    @Test func `an event goes in, is a duplicate the second time, and may be in any mode`() async throws {
        let headers = [event, key(.ingest)]
        let binary = [
            key(.ingest), ("ce-specversion", "1.0"), ("ce-id", "e-1"), ("ce-source", "kitchen"),
            ("ce-type", "order.picked_up"), ("ce-subject", "o-1"), ("ce-time", "2026-11-30T11:59:00Z"),
            ("Content-Type", "application/json"),
        ]
        let body = APITests.event().serialized()
        let data = try #require(APITests.event()["data"]).serialized()
        try await serving { client in
            #expect(try await client.send("POST", "/v1/events", headers: headers, body: body).status == 202)
            let again = try await client.send("POST", "/v1/events", headers: headers, body: body)
            #expect(again.status == 200)
            #expect(again.header("content-type") == "application/json")
            #expect(try await client.send("POST", "/v1/events", headers: binary, body: data).status == 200)
        }
        #expect(bench.log.count == 1)
    }

    // D29
    @Test func `bodies may be gzip, within the limit after inflating`() async throws {
        let headers = [event, key(.ingest), ("Content-Encoding", "gzip")]
        let small = try #require(
            Base64.decode(
                "H4sIAAAAAAAC/xWLQQ6AIAwE/9KzErn6Gy2biBhKCpgY498tt9nZ3ZdqAd/QGiXTSt4tNFEMhpi9YZWuDIspNj6QTbWnDCEaoK5cGyOMYd9P"
                    + "cBuFHb8fxEfINVkAAAA="
            )
        )
        let bomb = try #require(
            Base64.decode(
                "H4sIAAAAAAAC/+3BMQEAAADCoCrrn9ISnkABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    + "AAAAAAAAAAAAAAAAAG8DYKxFH3ARAQA="
            )
        )
        try await serving { client in
            #expect(try await client.send("POST", "/v1/events", headers: headers, body: small).status == 202)
            let large = try await client.send("POST", "/v1/events", headers: headers, body: bomb)
            #expect(large.status == 413)
            #expect(try JSON.parse(large.body)["limit"] == 65_536)
            let cut = try await client.send("POST", "/v1/events", headers: headers, body: Array(small.dropLast(4)))
            #expect(cut.status == 400)
            let plain = try await client.send("POST", "/v1/events", headers: headers, body: Array("{}".utf8))
            #expect(plain.status == 400)
            let other = [event, key(.ingest), ("Content-Encoding", "br")]
            #expect(try await client.send("POST", "/v1/events", headers: other, body: small).status == 415)
        }
        #expect(bench.log.map(\.id) == ["e-1"])
    }

    @Test func `a body beyond any limit and headers beyond 8 KiB get problems`() async throws {
        let headers = [event, key(.ingest)]
        try await serving { client in
            let body = [UInt8](repeating: UInt8(ascii: " "), count: 4 * 1_024 * 1_024 + 1)
            let large = try await client.send("POST", "/v1/events", headers: headers, body: body)
            #expect(large.status == 413)
            #expect(try JSON.parse(large.body)["type"] == "urn:doorstep:problem:too-large")
            let long = headers + [("x-padding", String(repeating: "p", count: 9_000))]
            let refused = try await client.send("POST", "/v1/events", headers: long, body: [])
            #expect(refused.status == 431)
            #expect(refused.header("content-type") == "application/problem+json")
            #expect(try await client.send("GET", "/healthz").status == 200)
        }
    }

    @Test func `ids in paths arrive as they were meant`() async throws {
        let headers = [key(.device)]
        try await serving { client in
            let answer = try await client.send("PUT", "/v1/orders/a%2Fb%3F%20%C3%A9/customers/c", headers: headers)
            #expect(try JSON.parse(answer.body)["order"] == "a/b? \u{E9}")
            #expect(try await client.send("PUT", "/v1/orders/a%00/customers/c", headers: headers).status == 422)
        }
    }

    @Test func `HEAD has no body, other methods are told what there is, and no key is 401`() async throws {
        try await serving { client in
            let head = try await client.send("HEAD", "/healthz")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            let patch = try await client.send("PATCH", "/v1/events")
            #expect(patch.status == 405)
            #expect(patch.header("allow") == "OPTIONS, POST")
            #expect(try await client.send("POST", "/v1/events", headers: [event]).status == 401)
            #expect(try await client.send("GET", "/nothing").status == 404)
        }
    }
}
