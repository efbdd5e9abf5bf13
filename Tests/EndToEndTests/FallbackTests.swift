import Glibc
import HTTPClient
import JSONText
import Runtime
import Testing

extension EndToEnd {
    /// The alert in the place of a card (engine rule 14), from the event to the screen.
    struct FallbackTests {
        @Test func `a phone whose card never gets a token is told of the courier once`() async throws {
            try await LocalStack.with { stack in
                try await allowAlerts(stack)
                try await post(
                    stack,
                    "DOORSTEP_SIMULATOR_URL",
                    "/phones",
                    ["id": "p", "customer": "c", "prompt": "ignored"]
                )
                let phone = try await get(stack, "DOORSTEP_URL", "/v1/devices/p?app=demo&linked=1&wait=20")
                #expect(phone["deviceToken"] == true && phone["notificationsAllowed"] == true)

                try await happens(stack, "order.on_the_way")
                try await eventually { try await screen(stack)["cards"]?[0]?["state"] == "active" }
                try await happens(stack, "courier.waiting")
                try await eventually { try await screen(stack)["alerts"]?[0]?["title"] == "Your courier is here" }
                try await happens(stack, "courier.nearby")
                let explained = try await get(stack, "DOORSTEP_URL", "/v1/orders/o/explanation?app=demo")
                #expect(explained["phones"]?[0]?["alert"]?["told"] == ["courier_waiting"])
                let pushes = try await screen(stack)["pushes"]?.arrayValue ?? []
                #expect(pushes.map { $0["event"]?.stringValue } == ["start", "alert"])
                #expect(pushes.last?["tokenKind"] == "device" && pushes.last?["applied"] == true)
                let broken = try await get(stack, "DOORSTEP_SIMULATOR_URL", "/violations")
                #expect(broken["total"] == 0, "\(broken)")
            }
        }

        private func allowAlerts(_ stack: LocalStack) async throws {
            let configuration = "\(stack.folder)/doorstep.json"
            let changed = LocalStack.text(configuration)
                .replacing(
                    #""startAt":"on_the_way""#,
                    with: #""startAt":"on_the_way","fallbackAlert":true,"fallbackWait":1"#
                )
            try LocalStack.write(Array(changed.utf8), to: configuration)
            kill(try #require(stack.pid(of: "serve")), SIGHUP)
            try await eventually { LocalStack.text("\(stack.folder)/log/serve.log").contains("\"reloaded\"") }
        }

        private func happens(_ stack: LocalStack, _ type: String) async throws {
            let event: JSON = [
                "specversion": "1.0", "source": "demo", "id": .string(type), "type": .string(type), "subject": "o",
                "time": .string(RFC3339.format(WallClock.microseconds)), "data": ["customer": "c"],
            ]
            try await post(stack, "DOORSTEP_URL", "/v1/events", event, type: "application/cloudevents+json")
        }

        private func screen(_ stack: LocalStack) async throws -> JSON {
            try await get(stack, "DOORSTEP_SIMULATOR_URL", "/phones/p")
        }

        private func get(_ stack: LocalStack, _ base: String, _ path: String) async throws -> JSON {
            let client = HTTPClient(loop: LocalStack.loop, baseURL: stack[base], maxConnections: 1)
            let headers = [("Authorization", "Bearer \(stack["DOORSTEP_SUPPORT_KEY"])")]
            let answer = try await client.send("GET", path, headers: headers)
            try #require(answer.status == 200, "\(answer.text)")
            return try JSON.parse(answer.body)
        }

        private func post(
            _ stack: LocalStack,
            _ base: String,
            _ path: String,
            _ body: JSON,
            type: String = "application/json"
        ) async throws {
            let client = HTTPClient(loop: LocalStack.loop, baseURL: stack[base], maxConnections: 1)
            let headers = [
                ("Content-Type", type), ("Authorization", "Bearer \(stack["DOORSTEP_INGEST_KEY"])"),
            ]
            let answer = try await client.send("POST", path, headers: headers, body: body.serialized())
            try #require((200..<300).contains(answer.status), "\(answer.text)")
        }

        private func eventually(_ condition: () async throws -> Bool) async throws {
            for _ in 0..<600 {
                if try await condition() { return }
                try await LocalStack.loop.sleep(for: .milliseconds(50))
            }
            Issue.record("it never came")
        }
    }
}
