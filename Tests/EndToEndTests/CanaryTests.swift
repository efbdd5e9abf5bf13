import HTTPClient
import JSONText
import Testing

extension EndToEnd {
    /// What nobody may read in logs, errors and figures, wherever it is put.
    struct CanaryTests {
        private static let canary = "Ce7naryAsha"

        @Test func `personal data in odd places never comes out in logs, problems or figures`() async throws {
            try await LocalStack.with { stack in
                let client = HTTPClient(loop: LocalStack.loop, baseURL: stack["DOORSTEP_URL"], maxConnections: 1)
                let key = ("Authorization", "Bearer \(stack["DOORSTEP_INGEST_KEY"])")
                let type = ("Content-Type", "application/cloudevents+json")
                func said(
                    _ method: String,
                    _ path: String,
                    _ headers: [(String, String)] = [],
                    _ body: String = ""
                ) async throws -> String {
                    let answer = try await client.send(method, path, headers: headers, body: Array(body.utf8))
                    return answer.text + answer.headers.map { "\($0.name): \($0.value)" }.joined()
                }
                let data = #""data":{"courier":{"id":"r","name":"\#(Self.canary)"}}"#
                let event =
                    #"{"specversion":"1.0","id":"e","source":"demo","type":"courier.assigned","subject":"o",\#(data)"#
                let answers = [
                    try await said("POST", "/v1/events?app=demo", [key, type], event + "}"),
                    // The same id with other content, a broken text, odd names, and names where rules are broken.
                    try await said(
                        "POST",
                        "/v1/events?app=demo",
                        [key, type],
                        event + #","time":"2026-11-30T10:00:00Z"}"#
                    ),
                    try await said(
                        "POST",
                        "/v1/events?app=demo",
                        [key, type],
                        event + #","\#(Self.canary)":"\#(Self.canary)","#
                    ),
                    try await said(
                        "POST",
                        "/v1/events?app=demo",
                        [key, type],
                        #"{"\#(Self.canary)":{"\#(Self.canary)":1}}"#
                    ),
                    try await said(
                        "POST",
                        "/v1/events?app=demo",
                        [key, type],
                        event + #","sourcetype":7,"x":"\#(Self.canary)"}"#
                    ),
                    try await said("POST", "/v1/events?app=demo", [key, ("Content-Type", Self.canary)], event + "}"),
                    try await said("GET", "/v1/orders/\(Self.canary)?\(Self.canary)=\(Self.canary)", [key]),
                    try await said("GET", "/\(Self.canary)/%ff\(Self.canary)", [("X-Name", Self.canary)]),
                    try await said("GET", "/v1/orders/o", [("Authorization", "Bearer dk_support_\(Self.canary)_x")]),
                    try await said("GET", "/v1/orders/o", [("Authorization", "Bearer dk_support_x_\(Self.canary)")]),
                    try await said("DELETE", "/v1/devices/\(Self.canary)", [key, ("traceparent", Self.canary)]),
                ]
                for answer in answers { #expect(!answer.contains(Self.canary)) }
                let order = try await stack.get("DOORSTEP_URL", "/v1/orders/o?app=demo&settled=1&wait=10")
                #expect(order["courier"] != nil)
                let metrics = try await said(
                    "GET",
                    "/metrics",
                    [("Authorization", "Bearer \(stack["DOORSTEP_OPERATOR_KEY"])")]
                )
                #expect(metrics.contains("doorstep_requests_total"))
                #expect(!metrics.contains(Self.canary))
                for child in ["serve", "postgres", "apns-sim"] {
                    let log = LocalStack.text("\(stack.folder)/log/\(child).log")
                    #expect(!log.contains(Self.canary), "\(child)")
                }
                #expect(LocalStack.text("\(stack.folder)/log/serve.log").contains(#""event":"request""#))
            }
        }

        @Test func `of fifty posts of one event at once one is stored`() async throws {
            try await LocalStack.with { stack in
                let client = HTTPClient(loop: LocalStack.loop, baseURL: stack["DOORSTEP_URL"], maxConnections: 50)
                let headers = [
                    ("Authorization", "Bearer \(stack["DOORSTEP_INGEST_KEY"])"),
                    ("Content-Type", "application/cloudevents+json"),
                ]
                let event = Array(
                    #"{"specversion":"1.0","id":"e","source":"demo","type":"order.placed","subject":"one"}"#.utf8
                )
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<50 {
                        group.addTask {
                            try await client.send("POST", "/v1/events?app=demo", headers: headers, body: event).status
                        }
                    }
                    return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
                }
                #expect(statuses == [202: 1, 200: 49])
                let order = try await stack.get("DOORSTEP_URL", "/v1/orders/one?app=demo&settled=1&wait=10")
                #expect(order["revision"] == 1)
            }
        }
    }
}
