import JSONText
import Runtime
import Testing

extension EndToEnd {
    /// Webhooks of delivery platforms.
    struct HookTests {
        @Test func `a platform's webhook moves a card`() async throws {
            try await LocalStack.with { stack in
                try await stack.hasPhone(["id": "p", "customer": "c"])
                try await stack.happens("order.accepted")
                let webhook: JSON = [
                    "timestamp": .integer(WallClock.microseconds / 1000), "event": "ORDER_ONTHEWAY",
                    "order": ["id": 7, "order_number": "o"],
                ]
                for isRepeated in [false, true] {
                    let answer = try await stack.post("DOORSTEP_URL", "/v1/hooks/shipday?app=demo", webhook)
                    #expect(answer["results"]?[0]?["duplicate"] == .bool(isRepeated))
                }
                try await stack.eventually { try await stack.screen("p")["cards"]?[0]?["state"] == "active" }
                let order = try await stack.get("DOORSTEP_URL", "/v1/orders/o?app=demo")
                #expect(order["phase"] == "on_the_way")
            }
        }
    }
}
