import Glibc
import HTTPClient
import JSONText
import Replay
import Runtime
import Testing

extension EndToEnd {
    struct ExplainTests {
        @Test func `an order is explained as it stands, as it stood, and as today would decide`() async throws {
            try await LocalStack.with { stack in
                let orders = try stack.generate(orders: 3, seed: 8)
                let report = try await stack.replay {
                    $0.files = [orders]
                    $0.export = "\(stack.folder)/export"
                }
                #expect(report.isClean)
                let export = LocalStack.text("\(stack.folder)/export")
                let order = try #require(export.firstMatch(of: /"id":"(g8-[^"\/]+)"/)?.output.1)

                let now = try await explain(stack, order)
                let phone = try #require(now["phones"]?[0])
                #expect(now["policyVersion"] == 1)
                #expect(phone["cards"]?[0]?["state"] == "ended")
                #expect(phone["cards"]?[0]?["next"] == "Nothing: this card is over.")
                let answers = phone["answers"]?.arrayValue ?? []
                #expect(
                    answers.contains { $0["event"] == "start" && $0["result"] == "accepted" && $0["status"] == 200 }
                )
                #expect(answers.contains { $0["event"] == "end" })
                let decisions = phone["decisions"]?.arrayValue ?? []
                let start = try #require(decisions.first { $0["verdict"] == "start" })
                #expect(start["alerts"] == ["start"] && start["token"] == "start" && start["today"] == .null)

                let time = try #require(start["at"]?.stringValue)
                let then = try await explain(stack, order, "&at=\(time)")
                #expect(then["at"]?.stringValue == time)
                #expect(then["phones"]?[0]?["cards"]?[0]?["pending"]?["event"] == "start")
                #expect(then["phones"]?[0]?["answers"] == [])

                try await change(stack, from: #""startAt":"on_the_way""#, to: #""startAt":"accepted""#)
                let again = try await explain(stack, order, "&redecide=true")
                #expect(again["policyVersion"] == 2)
                let both = again["phones"]?[0]?["decisions"]?.arrayValue ?? []
                let early = both.filter { $0["verdict"]?.isNull == true }
                #expect(!early.isEmpty && early.allSatisfy { $0["today"]?["reason"] == "startRequested" })
                #expect(both.count { $0["policyVersion"] == 1 } == decisions.count)
            }
        }

        private func explain(_ stack: LocalStack, _ order: Substring, _ query: String = "") async throws -> JSON {
            let client = HTTPClient(loop: LocalStack.loop, baseURL: stack["DOORSTEP_URL"], maxConnections: 1)
            let answer = try await client.send(
                "GET",
                "/v1/orders/\(order)/explanation?app=demo\(query)",
                headers: [("Authorization", "Bearer \(stack["DOORSTEP_SUPPORT_KEY"])")]
            )
            #expect(answer.status == 200)
            return try JSON.parse(answer.body)
        }

        private func change(_ stack: LocalStack, from old: String, to new: String) async throws {
            let path = "\(stack.folder)/doorstep.json"
            try LocalStack.write(Array(LocalStack.text(path).replacing(old, with: new).utf8), to: path)
            kill(try #require(stack.pid(of: "serve")), SIGHUP)
            for _ in 0..<200 where !LocalStack.text("\(stack.folder)/log/serve.log").contains("\"reloaded\"") {
                try await LocalStack.loop.sleep(for: .milliseconds(50))
            }
        }
    }
}
