import JSONText
import Testing

extension EndToEnd {
    /// The alert in the place of a card (engine rule 14), from the event to the screen.
    struct FallbackTests {
        @Test func `a phone whose card never gets a token is told of the courier once`() async throws {
            try await LocalStack.with { stack in
                try await stack.changePolicy(#""fallbackAlert":true,"fallbackWait":1"#)
                try await stack.hasPhone(["id": "p", "customer": "c", "prompt": "ignored"])
                let phone = try await stack.get("DOORSTEP_URL", "/v1/devices/p?app=demo&linked=1&wait=20")
                #expect(phone["deviceToken"] == true && phone["notificationsAllowed"] == true)

                try await stack.happens("order.on_the_way")
                try await stack.eventually { try await stack.screen("p")["cards"]?[0]?["state"] == "active" }
                try await stack.happens("courier.waiting")
                try await stack.eventually {
                    try await stack.screen("p")["alerts"]?[0]?["title"] == "Your courier is here"
                }
                try await stack.happens("courier.nearby")
                let explained = try await stack.get("DOORSTEP_URL", "/v1/orders/o/explanation?app=demo")
                #expect(explained["phones"]?[0]?["alert"]?["told"] == ["courier_waiting"])
                let pushes = try await stack.screen("p")["pushes"]?.arrayValue ?? []
                #expect(pushes.map { $0["event"]?.stringValue } == ["start", "alert"])
                #expect(pushes.last?["tokenKind"] == "device" && pushes.last?["applied"] == true)
                let broken = try await stack.get("DOORSTEP_SIMULATOR_URL", "/violations")
                #expect(broken["total"] == 0, "\(broken)")
            }
        }
    }
}
