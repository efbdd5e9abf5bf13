import API
import HTTPServer
import Testing

@Suite struct RouterTests {
    let bench = Bench()
    private let router = Router()

    @Test func `a parameter is one percent-encoded segment, and a slash in it belongs to the id`() throws {
        let match = try router.match(method: "GET", path: "/v1/orders/a%2Fb%20%C3%A9+c/timeline")
        #expect(match.route == .getTimeline)
        #expect(match.parameters == ["order": "a/b \u{E9}+c"])
        #expect(try router.match(method: "GET", path: "/v1/orders/timeline").parameters["order"] == "timeline")
        let both = try router.match(method: "PUT", path: "/v1/orders/o%252F/customers/%7e")
        #expect(both.parameters == ["order": "o%2F", "customer": "~"])
    }

    @Test(arguments: [
        "/v1", "/v1/", "/v1/events/", "/v1/orders/", "/v1/orders//timeline", "/V1/events",
        "/v1/orders/a/b",
        "/v2/events", "v1/events", "", "*", "//", "/healthz/", "/v1/orders/a/timeline/",
    ])
    func `other paths are not found`(path: String) async throws {
        let answer = try await bench.send("GET", path)
        #expect(answer.status == 404)
        #expect(answer.slug == "not-found")
    }

    @Test(arguments: [
        ("GET", "/v1/events", "OPTIONS, POST"), ("POST", "/v1/devices/d", "DELETE, GET, HEAD, PUT"),
        ("DELETE", "/healthz", "GET, HEAD"),
        ("PATCH", "/v1/orders/o", "GET, HEAD"), ("get", "/healthz", "GET, HEAD"), ("OPTIONS", "/healthz", "GET, HEAD"),
        ("TRACE", "/v1/events", "OPTIONS, POST"),
    ])
    func `a path answers other methods with those it has`(method: String, path: String, allow: String) async throws {
        let answer = try await bench.send(method, path)
        #expect(answer.status == 405)
        #expect(answer.slug == "method-not-allowed")
        #expect(answer.headers.first("allow") == allow)
    }

    @Test(arguments: [
        ("%00", "nul"), ("a%00b", "nul"), ("%", "format"), ("%2", "format"), ("%GG", "format"), ("%C3", "format"),
        ("%ED%A0%80", "format"), (String(repeating: "x", count: 256), "length"),
        (String(repeating: "%C3%A9", count: 128), "length"),
    ])
    func `an id that cannot be one is refused`(segment: String, rule: String) async throws {
        let answer = try await bench.send("GET", "/v1/orders/\(segment)", as: .support)
        #expect(answer.status == 422)
        #expect(answer.slug == "invalid-request")
        #expect(answer.faults == ["path:order \(rule)"])
    }

    @Test func `an id of 255 bytes is the longest`() throws {
        let id = String(repeating: "x", count: 255)
        #expect(try router.match(method: "GET", path: "/v1/orders/\(id)").parameters["order"] == id)
    }

    @Test func `HEAD is answered as GET`() throws {
        #expect(try router.match(method: "HEAD", path: "/healthz").route == .health)
        #expect(throws: Problem.self) { try router.match(method: "HEAD", path: "/v1/events") }
    }
}
