import JSONText
import Testing

extension EndToEnd {
    /// What apps tell of their cards.
    struct ReportTests {
        // P82
        @Test func `a report that is sent fifty times at once is kept once`() async throws {
            try await LocalStack.with { stack in
                try await stack.hasPhone(["id": "p", "customer": "c"])
                try await stack.happens("order.on_the_way")
                try await stack.eventually { try await stack.screen("p")["cards"]?[0]?["state"] == "active" }
                let activity = try #require(try await stack.screen("p")["cards"]?[0]?["activity"]?.stringValue)
                let report: JSON = ["state": "dismissed", "at": "2026-01-01T12:00:00Z", "sequence": 9_999_999_999_999]
                try await withThrowingTaskGroup { group in
                    for _ in 0..<50 {
                        group.addTask {
                            try await stack.post(
                                "DOORSTEP_URL",
                                "/v1/orders/o/activities/\(activity)/reports?app=demo",
                                report,
                                key: "DOORSTEP_DEVICE_KEY"
                            )
                        }
                    }
                    try await group.waitForAll()
                }
                let timeline = try await stack.get("DOORSTEP_URL", "/v1/orders/o/timeline?app=demo&limit=1000")
                let reports = (timeline["items"]?.arrayValue ?? []).count { $0["type"] == "activity.reported" }
                #expect(reports == 1, "\(timeline)")
            }
        }
    }
}
