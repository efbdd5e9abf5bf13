import PostgresStore
import TestSupport
import Testing
import Tracking

@testable import API

/// Positions are accepted and never stored (engine rules, section 2).
@Suite(.enabled(if: TestDatabase.isAvailable))
struct LivePositionsTests {
    /// The beginning of a stretch of five minutes.
    private let begin: Int64 = 1_700_000_100_000_000

    private func position(_ id: String, courier: String = "c1", after seconds: Int64, late: Int64 = 0) -> IngestEvent {
        let receivedAt = begin + seconds * 1_000_000
        return IngestEvent(
            app: "demo",
            id: id,
            source: "pos",
            type: EventType("courier.location"),
            subject: "o1",
            occurredAt: receivedAt - late * 1_000_000,
            receivedAt: receivedAt,
            flags: [],
            fingerprint: Array(repeating: 1, count: 32),
            body: Array(#"{"data":{"courier":{"id":"\#(courier)"}}}"#.utf8)
        )
    }

    private func isAccepted(_ outcome: IngestOutcome) -> Bool {
        if case .accepted = outcome { true } else { false }
    }

    @Test func `a courier is seen once in five minutes, whatever process hears of it`() async throws {
        try await LiveBench.with { bench in
            let (here, there) = (LiveIngest(bench.service), LiveIngest(bench.service))
            let batch = [position("1", after: 1), position("2", after: 2)]
            #expect(await here.append(batch, caller: bench.caller).allSatisfy(isAccepted))
            #expect(await there.append([position("3", after: 200)], caller: bench.caller).allSatisfy(isAccepted))
            let log = try await bench.log(.order, "o1")
            #expect(log.map(\.type) == [FactType.courierSeen])
            #expect(log.map { String(decoding: $0.body ?? [], as: UTF8.self) } == [#"{"courier":"c1"}"#])
            #expect(await here.append([position("4", after: 302)], caller: bench.caller).allSatisfy(isAccepted))
            let more = try await bench.log(.order, "o1")
            #expect(more.count == 2)
        }
    }

    // D23
    @Test func `another courier's position is a sight of that courier alone`() async throws {
        try await LiveBench.with { bench in
            let ingest = LiveIngest(bench.service)
            let batch = [position("1", after: 1), position("2", courier: "c2", after: 2)]
            #expect(await ingest.append(batch, caller: bench.caller).allSatisfy(isAccepted))
            let bodies = try await bench.log(.order, "o1").map { String(decoding: $0.body ?? [], as: UTF8.self) }
            #expect(bodies == [#"{"courier":"c1"}"#, #"{"courier":"c2"}"#])
        }
    }

    @Test func `where somebody was a while ago confirms nothing`() async throws {
        try await LiveBench.with { bench in
            let outcomes = await LiveIngest(bench.service)
                .append([position("1", after: 1, late: 300)], caller: bench.caller)
            #expect(outcomes.allSatisfy(isAccepted))
            let log = try await bench.log(.order, "o1")
            #expect(log.isEmpty)
        }
    }
}
