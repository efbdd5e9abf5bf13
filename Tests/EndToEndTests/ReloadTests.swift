import Glibc
import HTTPClient
import Replay
import Runtime
import Testing

extension EndToEnd {
    struct ReloadTests {
        @Test func `a policy changes on SIGHUP, a mistake changes nothing`() async throws {
            try await LocalStack.with { stack in
                let configuration = "\(stack.folder)/doorstep.json"
                let text = LocalStack.text(configuration)
                #expect(text.contains(#""startAt":"on_the_way""#))

                try LocalStack.write(Array("{".utf8), to: configuration)
                try await hangUp(stack, until: "not reloaded")
                let changed = text.replacing(#""startAt":"on_the_way""#, with: #""startAt":"accepted""#)
                try LocalStack.write(Array(changed.utf8), to: configuration)
                try await hangUp(stack, until: "\"reloaded\"")

                let orders = try stack.generate(orders: 5, seed: 8)
                let report = try await stack.replay {
                    $0.files = [orders]
                    $0.export = "\(stack.folder)/export"
                }
                #expect(report.isClean)
                let export = LocalStack.text("\(stack.folder)/export")
                let order = try #require(export.firstMatch(of: /"id":"(g8-[^"\/]+)"/)?.output.1)
                let client = HTTPClient(loop: LocalStack.loop, baseURL: stack["DOORSTEP_URL"], maxConnections: 1)
                let timeline = try await client.send(
                    "GET",
                    "/v1/orders/\(order)/timeline?app=demo",
                    headers: [("Authorization", "Bearer \(stack["DOORSTEP_SUPPORT_KEY"])")]
                )
                #expect(timeline.text.contains(#""policyVersion":2"#))
                #expect(!timeline.text.contains(#""policyVersion":1"#))
            }
        }

        private func hangUp(_ stack: LocalStack, until word: String) async throws {
            kill(try #require(stack.pid(of: "serve")), SIGHUP)
            for _ in 0..<200 where !LocalStack.text("\(stack.folder)/log/serve.log").contains(word) {
                try await LocalStack.loop.sleep(for: .milliseconds(50))
            }
            #expect(LocalStack.text("\(stack.folder)/log/serve.log").contains(word))
        }
    }
}
