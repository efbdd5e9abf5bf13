import Crypto
import Postgres
import PostgresStore
import TestSupport
import Testing
import Tracking

/// Slots of alerts in the place of cards: of the same orders and devices, and claimed apart.
@Suite(.enabled(if: TestDatabase.isAvailable))
struct AlertClaimsTests {
    private let until = now + 30 * second

    private func alert(_ order: String, rev: Int32 = 1, dueAt: Int64 = now) -> SlotWrite {
        SlotWrite(
            key: SlotKey(card: card(order, "d1", Fallback.incarnation), target: .fallback),
            rev: rev,
            dueAt: dueAt,
            stamp: 0,
            verb: .alert,
            body: [7]
        )
    }

    private func request(_ order: String, rev: Int32 = 1) -> AsideClaimRequest {
        AsideClaimRequest(card: card(order, "d1", Fallback.incarnation), rev: rev, claim: .random())
    }

    private func take(_ term: Int64, _ requests: [AsideClaimRequest], at time: Int64 = now) -> Query<[AsideClaim]> {
        Claims.aside(lane: 0, term: term, now: time, until: until, requests)
    }

    private func slots(_ pool: PostgresPool) async throws -> [SlotRow] {
        try await pool.run(Slots.ofOrders(lane: 0, [OrderKey(app: 1, order: OrderID("a"))]))
    }

    @Test func `what is due is claimed once, without any card`() async throws {
        try await TestDatabase.with { [self] _, pool in
            let term = try await takeLane(on: pool)
            _ = try await pool.runAll(
                Slots.save(lane: 0, [alert("a"), alert("b", dueAt: now + 1), alert("c", rev: 2)])
            )
            let due = try await pool.run(Claims.due(lane: 0, now: now, limit: 10))
            #expect(Set(due.map(\.verb)) == [.alert])
            let wishes = ["c", "b", "a", "none"].map { request($0) }
            let claimed = try await pool.run(take(term, wishes))
            #expect(claimed.map(\.index) == [2])
            #expect(claimed.first?.body == [7])
            #expect(claimed.first?.stamp == now / second)
            #expect(try await pool.run(take(term, wishes)).isEmpty)
            let claim = try #require(try await slots(pool).first?.claim)
            #expect(claim.id == wishes[2].claim)
            #expect(claim.verb == .alert)
            #expect([Int64(claim.rev), Int64(claim.generation), claim.term, claim.until] == [1, 0, term, until])
            #expect(try await pool.run(EventLog.after(lane: 0, pos: 0, limit: 10)).isEmpty)
        }
    }

    @Test func `another term and an expired one claim nothing`() async throws {
        try await TestDatabase.with { [self] _, pool in
            let term = try await takeLane(on: pool)
            _ = try await pool.runAll(Slots.save(lane: 0, [alert("a")]))
            for other in [term - 1, term + 1] {
                let claimed = try await pool.run(take(other, [request("a")]))
                #expect(claimed.isEmpty)
            }
            #expect(try await pool.run(take(term, [request("a")], at: now + 10 * second)).isEmpty)
        }
    }

    @Test func `cards and alerts are claimed apart`() async throws {
        try await TestDatabase.with { [self] _, pool in
            let term = try await takeLane(on: pool)
            _ = try await pool.runAll(
                Activities.save(lane: 0, [activity("a")]) + Slots.save(lane: 0, [slot("a"), alert("a")])
            )
            let card = RecordedClaimRequest(card: card("a"), rev: 1, claim: .random(), fact: item("a", "a/d1/1/1"))
            let cards = try await pool.run(
                Claims.record(lane: 0, term: term, now: now, until: until, day: today, [card])
            )
            #expect(cards.count == 1)
            #expect(try await slots(pool).first { $0.wanted.verb == .alert }?.claim == nil)
            #expect(try await pool.run(take(term, [request("a")])).count == 1)
        }
    }

    @Test func `an outcome clears the alert's claim, and its slot goes when nothing is wanted`() async throws {
        try await TestDatabase.with { [self] _, pool in
            let term = try await takeLane(on: pool)
            _ = try await pool.runAll(Slots.save(lane: 0, [alert("a")]))
            let wish = request("a")
            _ = try await pool.run(take(term, [wish]))
            #expect(try await pool.run(Claims.lost(lane: 0, now: until, limit: 10)).map(\.claim?.id) == [wish.claim])
            _ = try await pool.runAll(Slots.delete(lane: 0, [alert("a").key]))
            #expect(try await slots(pool).count == 1)
            _ = try await pool.runAll(Slots.delete(lane: 0, [alert("a").key], settled: [wish.claim]))
            #expect(try await slots(pool).isEmpty)
        }
    }
}
