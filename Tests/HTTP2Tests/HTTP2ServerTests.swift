import HTTP2
import Runtime
import Testing

struct HTTP2ServerTests {
    @Test func `a request and its answer cross the wire whole`() async throws {
        let response = try await Loopback.with { request in
            let echo = [request.method, request.path, request.headers["x-name"] ?? "", "\(request.body.count)"]
            return .reply(
                HTTP2Reply(status: 201, fields: [HTTP2Field("x-echo", echo.joined(separator: " "))], body: [7])
            )
        } _: { loopback in
            let client = try loopback.client()
            try await client.connect()
            let outcome = await client.send(
                HTTP2ClientRequest(
                    path: "/3/device/ab",
                    fields: [HTTP2Field("x-name", "value")],
                    body: [UInt8](repeating: 1, count: 100_000)
                )
            )
            return try #require(outcome.response)
        }
        #expect(response.status == 201)
        #expect(response.headers["x-echo"] == "POST /3/device/ab value 100000")
        #expect(response.body == [7])
    }
}
