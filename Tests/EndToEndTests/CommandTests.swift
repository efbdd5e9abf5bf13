import JSONText
import Testing

extension EndToEnd {
    /// What customers ask for.
    struct CommandTests {
        @Test func `a request is pending on the order and its card until the partner answers it`() async throws {
            try await LocalStack.with { stack in
                try await stack.hasPhone(["id": "p", "customer": "c"])
                try await stack.happens("order.on_the_way")
                try await stack.eventually { try await stack.screen("p")["cards"]?[0]?["state"] == "active" }
                for isRepeated in [false, true] {
                    let answer = try await stack.post(
                        "DOORSTEP_URL",
                        "/v1/orders/o/commands?app=demo",
                        ["id": "wish", "command": "leave_at_door"],
                        key: "DOORSTEP_DEVICE_KEY"
                    )
                    #expect(answer["duplicate"] == .bool(isRepeated))
                }
                try await stack.eventually {
                    try await stack.screen("p")["cards"]?[0]?["content"]?["pendingCommand"] == "leave_at_door"
                }
                let order = try await stack.get("DOORSTEP_URL", "/v1/orders/o?app=demo")
                #expect(order["pendingCommand"] == ["id": "wish", "command": "leave_at_door"])
                try await stack.happens("eta.changed", answering: "wish")
                try await stack.eventually {
                    try await stack.screen("p")["cards"]?[0]?["content"]?["pendingCommand"] == .null
                }
            }
        }
    }
}
