import JSONText
import Runtime
import Testing

extension EndToEnd {
    /// `doorstep app check` against the simulated APNs.
    struct AppCheckTests {
        @Test func `tells right keys and topics from wrong ones, and pushes to nobody`() async throws {
            try await LocalStack.with { stack in
                let fine = try await stack.command(["app", "check", "--environment", "both", "--json"])
                #expect(fine.code == 0, "\(fine.output)")
                let checks = try JSON.parse(Array(fine.output.utf8))["checks"]?.arrayValue ?? []
                #expect(checks.count { $0["name"] == "topic" && $0["verdict"] == "ok" } == 4)

                let configuration = "\(stack.folder)/doorstep.json"
                let right = LocalStack.text(configuration)
                func check(replacing word: String, with other: String) async throws -> (code: Int32, output: String) {
                    let changed = right.replacing(word, with: other)
                    try #require(changed != right, "the file has no \(word)")
                    try LocalStack.write(Array(changed.utf8), to: "\(stack.folder)/wrong.json")
                    return try await stack.command(["app", "check", "demo", "--config", "\(stack.folder)/wrong.json"])
                }
                let app = try #require(JSON.parse(Array(right.utf8))["apps"]?[0])
                let bundle = try #require(app["bundleId"]?.stringValue)
                let team = try #require(app["teamId"]?.stringValue)
                let topic = try await check(replacing: "\"\(bundle)\"", with: "\"com.example.nobody\"")
                #expect(topic.code == 1 && topic.output.contains("WRONG"), "\(topic.output)")
                #expect(topic.output.contains("check bundleId"))
                let key = try await check(replacing: "\"\(team)\"", with: "\"ZZZZZZZZZZ\"")
                #expect(key.code == 1 && key.output.contains("InvalidProviderToken"), "\(key.output)")
                let unknown = try await stack.command(["app", "check", "nobody"])
                #expect(unknown.code == 2)

                let requests = try await stack.get("DOORSTEP_SIMULATOR_URL", "/requests?limit=100")
                #expect((requests["items"]?.arrayValue ?? []).allSatisfy { $0["status"] != 200 })
            }
        }
    }
}
