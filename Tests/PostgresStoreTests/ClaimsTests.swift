import Crypto
import Postgres
import PostgresStore
import TestSupport
import Testing
import Tracking

@Suite(.enabled(if: TestDatabase.isAvailable))
struct ClaimsTests {
    private let until = now + 30 * second
    private let key = SlotKey(card: card("a"))

    private func request(_ order: String, rev: Int32 = 1, attempt: Int = 1) -> RecordedClaimRequest {
        let fact = item(order, "\(order)/d1/1/\(attempt)")
        return RecordedClaimRequest(card: card(order), rev: rev, claim: .random(), fact: fact)
    }

    private func take(
        _ term: Int64,
        _ requests: [RecordedClaimRequest],
        at time: Int64 = now
    ) -> Query<[RecordedClaim]> {
        Claims.record(lane: 0, term: term, now: time, until: until, day: today, requests)
    }

    /// Slots with their cards, as the projector writes them.
    private func save(_ slots: [SlotWrite]) -> [Write] {
        Activities.save(lane: 0, slots.map { activity($0.key.card.order.value) }) + Slots.save(lane: 0, slots)
    }

    private func slots(_ pool: PostgresPool, _ order: String = "a") async throws -> [SlotRow] {
        try await pool.run(Slots.ofOrders(lane: 0, [OrderKey(app: 1, order: OrderID(order))]))
    }

    @Test func `what is due is claimed once, with what the request needs`() async throws {
        try await TestDatabase.with { [self] _, pool in
            let term = try await takeLane(on: pool)
            let waiting = [slot("b", dueAt: now + 1), slot("c", dueAt: .max), slot("d", expiresAt: now)]
            _ = try await pool.runAll(
                save([slot("a")] + waiting) + Activities.save(lane: 0, [activity("a", generation: 4, lastStamp: 90)])
            )
            let due = try await pool.run(Claims.due(lane: 0, now: now, limit: 10))
            #expect(Set(due.map(\.key.card)) == [card("a"), card("d")])
            let wishes = ["b", "none", "a", "c", "d"].map { request($0) }
            let claimed = try await pool.run(take(term, wishes))
            let got = try #require(claimed.first)
            #expect(claimed.count == 1)
            #expect(got.index == 2)
            #expect(got.body == [1, 2])
            #expect(got.token == [9, 9])
            #expect(got.generation == 4)
            #expect(got.stamp == now / second)
            #expect(try await pool.run(take(term, [request("a")])).isEmpty)
            let claim = try #require(try await slots(pool).first?.claim)
            #expect(claim.id == wishes[2].claim)
            #expect([Int64(claim.rev), Int64(claim.generation), claim.term, claim.until] == [1, 4, term, until])
            // Only a start is a fact of its own.
            #expect(try await pool.run(EventLog.after(lane: 0, pos: 0, limit: 10)).isEmpty)
        }
    }

    @Test func `an attempt at a start is in the log with its claim, and is never claimed twice`() async throws {
        try await TestDatabase.with { [self] _, pool in
            let term = try await takeLane(on: pool)
            let starts = ["a", "b", "c"].map { slot($0, verb: .start) }
            _ = try await pool.runAll(save(starts + [slot("u")]))
            let first = try await pool.run(take(term, ["u", "b", "a"].map { request($0) }))
            #expect(Set(first.map(\.index)) == [0, 1, 2])
            let facts = try await pool.run(EventLog.after(lane: 0, pos: 0, limit: 10))
            #expect(Set(facts.map(\.id)) == ["a/d1/1/1", "b/d1/1/1"])
            #expect(facts.allSatisfy { $0.type == "push.start_claimed" && $0.recordedAt == now })
            // Their claims are settled, yet the same attempt does not go out again; another one and another card do.
            _ = try await pool.runAll(Slots.save(lane: 0, starts, settled: try await claims(pool)))
            let again = try await pool.run(take(term, [request("a"), request("b", attempt: 2), request("c")]))
            #expect(Set(again.map(\.index)) == [1, 2])
            #expect(try await slots(pool, "a").first?.claim == nil)
            #expect(try await pool.run(EventLog.after(lane: 0, pos: 0, limit: 10)).count == 4)
        }
    }

    private func claims(_ pool: PostgresPool) async throws -> [UUID128] {
        var all: [UUID128] = []
        for order in ["a", "b", "c"] { all += try await slots(pool, order).compactMap(\.claim?.id) }
        return all
    }

    @Test func `another term, an expired one or another revision claims nothing`() async throws {
        try await TestDatabase.with { [self] _, pool in
            let term = try await takeLane(on: pool)
            _ = try await pool.runAll(save([slot("a", rev: 2)]))
            for (term, rev) in [(term - 1, Int32(2)), (term + 1, 2), (term, 1), (term, 3)] {
                let claimed = try await pool.run(take(term, [request("a", rev: rev)]))
                #expect(claimed.isEmpty, "term \(term) revision \(rev)")
            }
            #expect(try await pool.run(take(term, [request("a", rev: 2)], at: now + 10 * second)).isEmpty)
            #expect(try await pool.run(take(term, [request("a", rev: 2)])).count == 1)
        }
    }

    @Test func `the timestamp is beyond every earlier one`() async throws {
        try await TestDatabase.with { [self] _, pool in
            let term = try await takeLane(on: pool)
            let clock = now / second
            _ = try await pool.runAll(
                Slots.save(lane: 0, [slot("a", stamp: clock + 7), slot("b", stamp: 1), slot("c", stamp: 1)])
                    + Activities.save(
                        lane: 0,
                        [activity("a", lastStamp: clock), activity("b", lastStamp: clock + 9), activity("c")]
                    )
            )
            let wishes = ["a", "b", "c"].map { request($0) }
            let claimed = try await pool.run(take(term, wishes)).sorted { $0.index < $1.index }
            #expect(claimed.map(\.stamp) == [clock + 8, clock + 10, clock])
        }
    }

    @Test func `newer state leaves a claim alone, its outcome clears it`() async throws {
        try await TestDatabase.with { [self] _, pool in
            let term = try await takeLane(on: pool)
            _ = try await pool.runAll(save([slot("a")]))
            let wish = request("a")
            _ = try await pool.run(take(term, [wish]))
            _ = try await pool.runAll(Slots.save(lane: 0, [slot("a", rev: 2, stamp: 3)], settled: [.random()]))
            var row = try #require(try await slots(pool).first)
            #expect(row.claim?.id == wish.claim)
            #expect(row.claim?.rev == 1)
            #expect(row.wanted.rev == 2)
            #expect(row.wanted.stamp == now / second)
            _ = try await pool.runAll(Slots.delete(lane: 0, [key]))
            #expect(try await slots(pool).count == 1)
            _ = try await pool.runAll(Slots.save(lane: 0, [slot("a", rev: 3)], settled: [wish.claim, .random()]))
            row = try #require(try await slots(pool).first)
            #expect(row.claim == nil)
            #expect(try await pool.run(Claims.due(lane: 0, now: now, limit: 10)).map(\.rev) == [3])
        }
    }

    @Test func `a slot with nothing wanted goes with the outcome of its claim`() async throws {
        try await TestDatabase.with { [self] _, pool in
            let term = try await takeLane(on: pool)
            _ = try await pool.runAll(save([slot("a"), slot("b")]))
            let wish = request("a")
            _ = try await pool.run(take(term, [wish]))
            _ = try await pool.runAll(Slots.delete(lane: 0, [key], settled: [.random()]))
            #expect(try await pool.run(Counters.pendingSlots) == 2)
            _ = try await pool.runAll(Slots.delete(lane: 0, [key, slot("b").key], settled: [wish.claim]))
            #expect(try await pool.run(Counters.pendingSlots) == 0)
        }
    }

    @Test func `an outcome alone clears its own claim and no other`() async throws {
        try await TestDatabase.with { [self] _, pool in
            let term = try await takeLane(on: pool)
            _ = try await pool.runAll(save([slot("a")]))
            let wish = request("a")
            _ = try await pool.run(take(term, [wish]))
            _ = try await pool.runAll(Slots.settle(lane: 0, [key: .random()]))
            #expect(try await slots(pool).first?.claim != nil)
            _ = try await pool.runAll(Slots.settle(lane: 0, [key: wish.claim]))
            #expect(try await slots(pool).first?.claim == nil)
        }
    }

    @Test func `a claim past its deadline is lost and shows as waiting work`() async throws {
        try await TestDatabase.with { [self] _, pool in
            let term = try await takeLane(on: pool)
            _ = try await pool.runAll(save([slot("a")]))
            let wish = request("a")
            _ = try await pool.run(take(term, [wish]))
            #expect(try await pool.run(Claims.lost(lane: 0, now: until - 1, limit: 10)).isEmpty)
            #expect(try await pool.run(Claims.lost(lane: 0, now: until, limit: 10)).map(\.claim?.id) == [wish.claim])
            #expect(try await pool.run(LaneWork.pending(lanes: [0], now: until)).map(\.hasLostClaims) == [true])
        }
    }

    @Test func `a slot under the projector's hands is skipped, not waited for`() async throws {
        try await TestDatabase.with { [self] database, pool in
            let term = try await takeLane(on: pool)
            _ = try await pool.runAll(save([slot("a"), slot("b")]))
            let projector = try await database.connect()
            try await projector.runScript("BEGIN; UPDATE slot SET rev = 2 WHERE order_id = 'a'")
            let claimed = try await pool.run(
                take(term, [request("a"), request("b")])
            )
            #expect(claimed.map(\.index) == [1])
            try await projector.runScript("COMMIT")
            await projector.close()
        }
    }

    @Test func `a take-over waits for the claim that is being committed`() async throws {
        try await TestDatabase.with { [self] database, pool in
            let term = try await takeLane(on: pool)
            _ = try await pool.runAll(save([slot("a")]))
            let sender = try await database.connect()
            try await sender.runScript("BEGIN")
            // In this session's open transaction, hence not in a pipeline of its own.
            _ = try await sender.run(take(term, [request("a")]))
            let impatient = try await database.connect(StoreSession.appending)
            let failure = await #expect(throws: PostgresError.self) {
                try await takeLane(at: now + 60 * second, on: impatient)
            }
            #expect(failure?.remedy == .rowBusy)
            try await sender.runScript("COMMIT")
            #expect(try await takeLane(at: now + 60 * second, on: impatient) == term + 1)
            await sender.close()
            await impatient.close()
        }
    }

    // E31
    @Test func `projector and sender never wait for each other in a circle`() async throws {
        try await TestDatabase.with(connections: 4) { [self] _, pool in
            let term = try await takeLane(on: pool)
            let orders = (0..<40).map { "o\($0)" }
            let keys = orders.map { OrderKey(app: 1, order: OrderID($0)) }
            _ = try await pool.runAll(save(orders.map { slot($0) }))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for rev in Int32(2)..<15 {
                        let settled = try await pool.run(Slots.ofOrders(lane: 0, keys)).compactMap(\.claim?.id)
                        let wanted = orders.map { slot($0, rev: rev) }
                        _ = try await pool.runAll(
                            Slots.save(lane: 0, wanted.reversed(), settled: settled) + Slots.save(lane: 0, wanted)
                        )
                    }
                }
                for _ in 0..<3 {
                    group.addTask { [self] in
                        for rev in Int32(1)..<15 {
                            let wishes = orders.shuffled().map { request($0, rev: rev) }
                            _ = try await pool.run(take(term, wishes))
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await pool.run(Counters.pendingSlots) == 40)
        }
    }
}
