import JSONText
import Testing

extension EndToEnd {
    /// One channel for all phones of an order (engine rule 16), from the event to the screens.
    struct BroadcastTests {
        @Test func `phones on iOS 18 hear of the order on its channel, an older one by its token`() async throws {
            try await LocalStack.with { stack in
                try await stack.changePolicy(#""broadcast":true,"channelKept":1"#)
                for (id, os) in [("new", "18.2"), ("newer", "26.0"), ("old", "17.5")] {
                    try await stack.hasPhone(["id": .string(id), "customer": "c", "os": .string(os)])
                }
                try await stack.happens("order.on_the_way")
                for id in ["new", "newer", "old"] {
                    try await stack.eventually { try await stack.screen(id)["cards"]?[0]?["state"] == "active" }
                }
                let told = try await stack.get("DOORSTEP_URL", "/v1/orders/o?app=demo")
                let states = (told["activities"]?.arrayValue ?? []).map { $0["state"]?.stringValue }
                #expect(states.count { $0 == "liveOnChannel" } == 2)

                try await stack.happens("courier.waiting")
                try await stack.happens("order.delivered")
                for id in ["new", "newer", "old"] {
                    try await stack.eventually {
                        let card = try await stack.screen(id)["cards"]?[0]
                        return card?["state"] == "ended" && card?["content"]?["phase"] == "delivered"
                    }
                }
                for id in ["new", "newer"] {
                    let pushes = try await stack.screen(id)["pushes"]?.arrayValue ?? []
                    let kinds = Set(pushes.dropFirst().map { $0["tokenKind"]?.stringValue })
                    #expect(kinds == ["channel"], "\(id): \(kinds)")
                }
                // The channel is gone a second after its last push.
                try await stack.eventually {
                    let requests = try await stack.get("DOORSTEP_SIMULATOR_URL", "/requests?limit=1000")
                    return (requests["items"]?.arrayValue ?? []).count { $0["event"] == "manage" } == 2
                }
                let broken = try await stack.get("DOORSTEP_SIMULATOR_URL", "/violations")
                #expect(broken["total"] == 0, "\(broken)")
            }
        }
    }
}
