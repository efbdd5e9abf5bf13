import JSONText
import Testing

extension EndToEnd {
    /// How staff find orders.
    struct SearchTests {
        private static func event(_ order: String, _ step: Int, _ type: String, _ data: JSON) -> JSON {
            [
                "specversion": "1.0", "source": "demo", "id": .string("\(order)/\(step)"), "type": .string(type),
                "subject": .string(order), "data": data,
            ]
        }

        @Test func `orders are found by every number they are known by, and in lists`() async throws {
            try await LocalStack.with { stack in
                let events: JSON = [
                    Self.event("s-1", 0, "order.placed", ["restaurant": ["id": "r-1"], "displayNumber": "#028"]),
                    Self.event("s-1", 1, "courier.assigned", ["courier": ["id": "rider-7"], "batch": "run-3"]),
                    Self.event("s-10", 0, "order.placed", ["references": ["partner": "S-1-X"], "displayNumber": "28"]),
                    Self.event("s-10", 1, "order.delivered", [:]), Self.event("s-10", 2, "order.cancelled", [:]),
                ]
                _ = try await stack.post(
                    "DOORSTEP_URL",
                    "/v1/events?app=demo",
                    events,
                    type: "application/cloudevents-batch+json"
                )
                func found(_ query: String) async throws -> [String] {
                    let list = try await stack.get("DOORSTEP_URL", "/v1/orders?app=demo&\(query)")
                    return list["items"]?.arrayValue?.compactMap { $0["order"]?.stringValue } ?? []
                }
                try await stack.eventually { try await found("flag=contradiction") == ["s-10"] }
                #expect(try await found("reference=s-1") == ["s-1", "s-10"])
                #expect(try await found("reference=S-1") == ["s-10"])
                #expect(try await Set(found("reference=%23028")) == ["s-1", "s-10"])
                #expect(try await found("reference=rider-7") == ["s-1"])
                #expect(try await found("reference=run-3") == ["s-1"])
                #expect(try await found("reference=nobody").isEmpty)
                #expect(try await found("restaurant=r-1&open=true") == ["s-1"])
                #expect(try await found("phase=delivered") == ["s-10"])
                #expect(try await found("phase=placed&quiet=3600").isEmpty)
            }
        }
    }
}
