import HTTPClient
import JSONText
import Testing

@testable import APNsSimulator

/// What the page is made of, and what it asks for.
@Suite struct PageFileTests {
    @Test func `each file has its type and the policy of a page that needs nothing from elsewhere`() async throws {
        try await RunningSimulator.with { running in
            let types = [
                "": "text/html", "index.html": "text/html", "phones.css": "text/css", "phones.js": "text/javascript",
            ]
            for (name, type) in types {
                let response = try await running.control.send("GET", "/\(name)")
                #expect(response.status == 200)
                #expect(response.header("content-type")?.hasPrefix(type) == true)
                let policy = response.header("content-security-policy") ?? ""
                #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
                let text = String(decoding: response.body, as: UTF8.self)
                for elsewhere in ["https://", "http://", "//cdn"] { #expect(!text.contains(elsewhere)) }
            }
            #expect(try await running.control.send("POST", "/phones.js").status == 405)
            #expect(try await running.control.send("GET", "/phones.png").status == 404)
        }
    }
}
