import Crypto
import Postgres
import PostgresStore
import TestSupport
import Testing
import Tracking

@Suite(.enabled(if: TestDatabase.isAvailable))
struct AdminTests {
    @Test func `apps and sources keep their numbers`() async throws {
        try await TestDatabase.with { _, pool in
            let first = try await pool.run(Apps.save(name: "demo", config: #"{"a": 1}"#))
            let second = try await pool.run(Apps.save(name: "other", config: "{}"))
            #expect([first, second] == [1, 2])
            #expect(try await pool.run(Apps.save(name: "demo", config: #"{"a": 2}"#)) == 1)
            #expect(try await pool.run(Apps.all).map(\.config) == [#"{"a": 2}"#, "{}"])
            #expect(try await pool.run(Apps.saveSource(app: 1, name: "pos", config: "{}")) == 1)
            #expect(try await pool.run(Apps.saveSource(app: 2, name: "pos", config: "{}")) == 2)
            #expect(try await pool.run(Apps.saveSource(app: 1, name: "pos", config: "{}")) == 1)
            #expect(try await pool.run(Apps.sources).map(\.app) == [1, 2])
        }
    }

    @Test func `a policy version never changes`() async throws {
        try await TestDatabase.with { (_, pool) async throws in
            let row = PolicyRow(app: 1, version: 1, activeFrom: now, body: #"{"x": 1}"#)
            #expect(try await pool.run(Apps.insertPolicy(row)) == 1)
            var changed = row
            changed.body = "{}"
            #expect(try await pool.run(Apps.insertPolicy(changed)) == 0)
            #expect(try await pool.run(Apps.policies) == [row])
        }
    }

    @Test func `a key is found by its id and stays known after it was revoked`() async throws {
        try await TestDatabase.with { _, pool in
            var row = AccessKeyRow(
                id: "k1",
                role: "ingest",
                hash: [1, 2],
                apps: [1, 2],
                sources: [],
                note: "till 3",
                createdAt: now
            )
            _ = try await pool.run(AccessKeys.insert(row))
            #expect(try await pool.run(AccessKeys.find(id: "k1")) == row)
            #expect(try await pool.run(AccessKeys.find(id: "k2")) == nil)
            let failure = await #expect(throws: PostgresError.self) { try await pool.run(AccessKeys.insert(row)) }
            #expect(failure?.sqlState == "23505")
            #expect(try await pool.run(AccessKeys.revoke(id: "k1", at: now + 1)) == 1)
            #expect(try await pool.run(AccessKeys.revoke(id: "k1", at: now + 2)) == 0)
            row.revokedAt = now + 1
            #expect(try await pool.run(AccessKeys.all) == [row])
            _ = try await pool.run(AccessKeys.save(row))
            row.revokedAt = nil
            #expect(try await pool.run(AccessKeys.find(id: "k1")) == row)
        }
    }

    @Test func `a customer's keys are kept once and shredded together`() async throws {
        try await TestDatabase.with { (_, pool) async throws in
            func key(_ id: Int32, _ wrapped: [UInt8]) -> PersonKeyRow {
                PersonKeyRow(app: 1, customer: CustomerID("c"), keyID: id, master: 1, wrapped: wrapped)
            }
            #expect(try await pool.run(PersonKeys.insert(lane: 0, key(1, [1]))) == 1)
            #expect(try await pool.run(PersonKeys.insert(lane: 0, key(1, [2]))) == 0)
            #expect(try await pool.run(PersonKeys.insert(lane: 0, key(2, [2]))) == 1)
            let customer = CustomerKey(app: 1, customer: CustomerID("c"))
            #expect(Set(try await pool.run(PersonKeys.load(lane: 0, [customer]))) == [key(1, [1]), key(2, [2])])
            #expect(try await pool.run(PersonKeys.shred(lane: 0, customer)) == 2)
            #expect(try await pool.run(PersonKeys.load(lane: 0, [customer])).isEmpty)
        }
    }

    @Test func `the audit trail is read by day`() async throws {
        try await TestDatabase.with { _, pool in
            func row(_ at: Int64, _ stream: String) -> AuditRow {
                AuditRow(lane: 0, at: at, id: .random(), app: 1, actor: "k1", action: "read", stream: stream)
            }
            let rows = [row(now, "b"), row(now - 1, "a"), row(now - 2 * 86_400 * second, "old")]
            for row in rows { _ = try await pool.run(Audit.insert(row)) }
            let read = try await pool.run(Audit.of(day: today, app: 1, limit: 10))
            #expect(read.map(\.stream) == ["a", "b"] || Int32((now - 1) / 86_400_000_000) != today)
            #expect(read.last == rows[0])
        }
    }

    @Test func `figures count what is there`() async throws {
        try await TestDatabase.with { _, pool in
            _ = try await pool.runAll(
                Orders.save(lane: 0, [order("a"), order("b"), order("c", closedAt: now)])
                    + Activities.save(lane: 0, [activity("a"), activity("b"), activity("c")])
                    + Slots.save(lane: 0, [slot("a")])
            )
            #expect(try await pool.run(Counters.pendingSlots) == 1)
            #expect(try await pool.run(Counters.openOrders) == 2)
            let phases = try await pool.run(Counters.activitiesByPhase)
            #expect(phases.map(\.phase) == [3])
            #expect(phases.map(\.count) == [2])
            let clock = try await pool.run(Counters.databaseTime)
            #expect(abs(clock - now) < 3600 * second)
        }
    }
}
