import Postgres
import PostgresStore
import TestSupport
import Testing
import Tracking

@Suite(.enabled(if: TestDatabase.isAvailable))
struct OrderListsTests {
    @Test func `open orders come newest first, page by page, from all lanes`() async throws {
        try await TestDatabase.with { _, pool in
            for (index, id) in ["a", "b", "c", "d"].enumerated() {
                // c and d were placed in the same moment.
                let placedAt = now + Int64(min(index, 2))
                _ = try await pool.runAll(Orders.save(lane: Int32(index), [order(id, placedAt: placedAt)]))
            }
            _ = try await pool.runAll(Orders.save(lane: 0, [order("closed", closedAt: now)]))
            let first = try await pool.run(OrderLists.open(app: 1, limit: 3))
            #expect(first.map(\.row.order.value) == ["d", "c", "b"])
            #expect(first.map(\.lane) == [3, 2, 1])
            let middle = try await pool.run(OrderLists.open(app: 1, before: now + 2, OrderID("d"), limit: 3))
            #expect(middle.map(\.row.order.value) == ["c", "b", "a"])
        }
    }

    @Test func `a restaurant's orders of a window come oldest first`() async throws {
        try await TestDatabase.with { _, pool in
            let rows = (0..<4).map { order("o\($0)", placedAt: now + Int64($0), place: "r") } + [order("x", place: "s")]
            _ = try await pool.runAll(Orders.save(lane: 0, rows))
            let window = OrderLists.atPlace(app: 1, place: "r", from: now + 1, to: now + 3, limit: 10)
            #expect(try await pool.run(window).map(\.row.order.value) == ["o1", "o2"])
            let rest = OrderLists.atPlace(
                app: 1,
                place: "r",
                from: now,
                to: now + 9,
                after: now + 1,
                OrderID("o1"),
                limit: 10
            )
            #expect(try await pool.run(rest).map(\.row.order.value) == ["o2", "o3"])
        }
    }

    @Test func `a number is found whole and by its beginning`() async throws {
        try await TestDatabase.with { _, pool in
            func reference(_ order: String, _ value: String) -> OrderReference {
                OrderReference(app: 1, order: OrderID(order), what: 1, value: value, at: now)
            }
            let rows = [
                reference("a", "4711"), reference("b", "4712"), reference("c", "481"), reference("d", "47\u{10FFFF}"),
                reference("e", "47%"),
            ]
            for (lane, row) in rows.enumerated() {
                _ = try await pool.runAll(OrderLists.saveReferences(lane: Int32(lane), [row]))
                _ = try await pool.runAll(OrderLists.saveReferences(lane: Int32(lane), [row]))
            }
            func found(_ prefix: String) async throws -> [String] {
                try await pool.run(OrderLists.search(app: 1, prefix: prefix, limit: 10)).map(\.order.value)
            }
            #expect(try await found("471") == ["a", "b"])
            #expect(try await found("4711") == ["a"])
            #expect(try await found("47") == ["e", "a", "b", "d"])
            #expect(try await found("47%") == ["e"])
            #expect(try await found("9").isEmpty)
            let numbers = try await pool.run(OrderLists.references(lane: 0, OrderKey(app: 1, order: OrderID("a"))))
            #expect(numbers == [rows[0]])
        }
    }

    @Test func `a shift list keeps when a matter began and drops it when it is cured`() async throws {
        try await TestDatabase.with { _, pool in
            func row(_ order: String, since: Int64) -> AttentionRow {
                AttentionRow(lane: 0, app: 1, order: OrderID(order), what: 3, detail: "late", since: since)
            }
            _ = try await pool.runAll(Attention.insert(lane: 0, [row("b", since: now), row("a", since: now + 1)]))
            _ = try await pool.runAll(Attention.insert(lane: 0, [row("b", since: now + 9)]))
            let list = Attention.list(app: 1, what: 3, limit: 10)
            #expect(try await pool.run(list) == [row("b", since: now), row("a", since: now + 1)])
            let rest = Attention.list(app: 1, what: 3, after: now, OrderID("b"), detail: "late", limit: 10)
            #expect(try await pool.run(rest) == [row("a", since: now + 1)])
            let key = AttentionKey(app: 1, order: OrderID("b"), what: 3, detail: "late")
            _ = try await pool.runAll(Attention.delete(lane: 0, [key]))
            #expect(try await pool.run(list) == [row("a", since: now + 1)])
        }
    }
}
