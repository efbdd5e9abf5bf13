import API
import JSONText
import Runtime
import Testing
import Tracking

/// How an event's time is read, bounded and flagged. The bench's clock stands at 2026-11-30T12:00:00Z.
@Suite struct EventTimeTests {
    let bench = Bench()

    private func kept(_ time: JSON?) async throws -> IngestEvent {
        #expect(try await bench.post(event(["time": time])).status == 202)
        return try #require(bench.log.first)
    }

    @Test(arguments: [nil, .null] as [JSON?])
    func `without a time the receipt stands in`(time: JSON?) async throws {
        let event = try await kept(time)
        #expect(event.occurredAt == nil)
        #expect(event.flags == .timeAssumed)
        #expect(event.foldTime == Bench.now)
    }

    @Test func `a time with an offset is kept in UTC`() async throws {
        let event = try await kept("2026-11-30T12:59:00.000001+01:00")
        #expect(event.occurredAt == Bench.now - 60_000_000 + 1)
        #expect(event.flags == [])
        #expect(event.foldTime == event.occurredAt)
    }

    // D18
    @Test(
        arguments: [
            ("2026-11-30T12:05:00Z", []), ("2026-11-30T12:05:00.000001Z", .clockAhead),
            ("2026-12-01T12:00:00Z", .clockAhead),
        ] as [(String, FactFlags)]
    )
    func `more than five minutes ahead is flagged and ordered by receipt`(time: String, flags: FactFlags) async throws {
        let event = try await kept(.string(time))
        #expect(event.flags == flags)
        #expect(event.occurredAt == RFC3339.parse(time)?.microseconds)
        #expect(event.foldTime == Bench.now)
    }

    @Test func `more than a day ahead is refused`() async throws {
        let answer = try await bench.post(event(["time": "2026-12-01T12:00:00.000001Z"]))
        #expect(answer.status == 422)
        #expect(answer.slug == "time-too-far-ahead")
        #expect(answer.faults == ["/time range"])
        #expect(bench.log.isEmpty)
    }

    @Test func `the past is not bounded`() async throws {
        #expect(try await kept("1999-01-01T00:00:00Z").occurredAt == 915_148_800_000_000)
    }

    // D15
    @Test func `times without an offset are read in the source's zone`() async throws {
        let zone = try #require(TimeZoneRules(named: "America/Los_Angeles"))
        bench.service.state.withLock { $0.sources["kitchen"] = SourceSettings(timeZone: zone) }
        let answer = try await bench.post(
            event([
                "time": "2026-11-30T03:59:00",
                "data": ["eta": "2026-11-30T04:20:00", "pickupEta": "2026-11-30T12:10:00Z"],
            ])
        )
        #expect(answer.status == 202)
        let kept = try #require(bench.log.first)
        #expect(kept.occurredAt == Bench.now - 60_000_000)
        #expect(
            String(decoding: kept.body, as: UTF8.self)
                == #"{"data":{"eta":"2026-11-30T12:20:00Z","pickupEta":"2026-11-30T12:10:00Z"}}"#
        )
    }
}
