import JSONText
import Testing

@testable import Replay

struct LatencyTests {
    private func entry(
        _ second: Int64,
        verdict: String?,
        reason: String = "",
        effect: JSON = "changed",
        details: JSON = [:]
    ) -> JSON {
        let decisions: [JSON] =
            verdict.map {
                [["device": "p", "verdict": .string($0), "reason": .string(reason), "details": details]]
            } ?? []
        return [
            "source": "s", "id": .integer(second), "recordedAt": .string(RFC3339.format(second * 1_000_000)),
            "effect": effect, "decisions": .array(decisions),
        ]
    }

    private func push(_ event: String, revision: Int64, at milliseconds: Int64, status: Int = 200) throws -> PushRecord
    {
        try #require(
            PushRecord([
                "phone": "p", "order": "o", "event": .string(event), "revision": .integer(revision),
                "receivedMicroseconds": .integer(milliseconds * 1000), "status": .integer(status),
            ])
        )
    }

    private func latency(_ entries: [JSON], _ pushes: [PushRecord]) -> Latency {
        var history = OrderHistory()
        for entry in entries { history.add(entry) }
        var latency = Latency()
        latency.add(pushes, of: history)
        return latency
    }

    @Test func `a push is measured from the commit of the event it shows`() throws {
        let entries = [
            entry(1, verdict: "wait", reason: "beforeStartPhase"),
            entry(2, verdict: "wait", reason: "startRequested"),
            // Our own facts have no effect and do not count as revisions.
            entry(3, verdict: "update", effect: nil), entry(4, verdict: "end"),
        ]
        let pushes = try [push("start", revision: 2, at: 2_030), push("end", revision: 3, at: 4_012)]
        let latency = latency(entries, pushes)
        #expect(latency.measured == [30, 12])
        #expect(latency.held == 0)
    }

    @Test func `a push that had to wait is held, not slow`() throws {
        let latency = latency(
            [
                entry(1, verdict: "wait", reason: "startInFlight"),
                entry(2, verdict: "update", details: ["heldUntil": "1970-01-01T00:00:02.800Z"]),
            ],
            try [push("update", revision: 1, at: 1_900), push("update", revision: 2, at: 2_810)]
        )
        #expect((latency.measured, latency.held) == ([], 2))
    }

    @Test func `only the first accepted push of a revision counts`() throws {
        let pushes = try [
            push("update", revision: 1, at: 1_005, status: 503), push("update", revision: 1, at: 1_010),
            push("update", revision: 1, at: 9_000),
        ]
        #expect(latency([entry(1, verdict: "update")], pushes).measured == [10])
    }

    @Test func `quantiles are by nearest rank`() throws {
        let entries = (1...100).map { entry(Int64($0), verdict: "update") }
        let pushes = try (1...100).map { try push("update", revision: Int64($0), at: Int64($0) * 1000 + Int64($0)) }
        let latency = latency(entries, pushes)
        #expect(latency.quantile(0.5) == 50)
        #expect(latency.quantile(0.99) == 99)
        #expect(latency.quantile(1) == 100)
        #expect(Latency().quantile(0.5) == nil)
    }

    @Test func `a history knows what it lacks and what it did not understand`() {
        var history = OrderHistory()
        history.add(["source": "s", "id": "1", "effect": "unknown"])
        history.add(["source": "doorstep/push", "id": "x/answer"])
        #expect(history.missing([("s", "1"), ("s", "2"), ("doorstep/push", "x/answer")]) == 2)
        #expect(history.unknownTypes == 1)
    }
}
