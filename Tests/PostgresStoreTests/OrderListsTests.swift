import Postgres
import PostgresStore
import TestSupport
import Testing
import Tracking

@Suite(.enabled(if: TestDatabase.isAvailable))
struct OrderListsTests {
    @Test func `orders come newest first, page by page, from all lanes`() async throws {
        try await TestDatabase.with { _, pool in
            for (index, id) in ["a", "b", "c", "d"].enumerated() {
                // c and d were placed in the same moment.
                let placedAt = now + Int64(min(index, 2))
                _ = try await pool.runAll(Orders.save(lane: Int32(index), [order(id, placedAt: placedAt)]))
            }
            _ = try await pool.runAll(Orders.save(lane: 0, [order("closed", closedAt: now)]))
            func page(_ window: OrderLists.Window, _ before: Int64 = .max, _ id: String = "") async throws -> [String] {
                try await pool.run(OrderLists.page(window, before: before, OrderID(id), limit: 3)).map(\.order.value)
            }
            let open = OrderLists.Window(app: 1, isOpen: true)
            #expect(try await page(open) == ["d", "c", "b"])
            #expect(try await page(open, now + 2, "d") == ["c", "b", "a"])
            let all = OrderLists.Window(app: 1)
            #expect(try await page(all, now + 1, "b") == ["closed", "a"])
            #expect(try await page(all, now + 1) == ["closed", "a"])
            #expect(try await page(OrderLists.Window(app: 2)).isEmpty)
        }
    }

    @Test func `a restaurant's orders are listed apart`() async throws {
        try await TestDatabase.with { _, pool in
            let rows = (0..<4).map { order("o\($0)", placedAt: now + Int64($0), place: "r") } + [order("x", place: "s")]
            _ = try await pool.runAll(Orders.save(lane: 0, rows))
            _ = try await pool.runAll(Orders.save(lane: 0, [order("o1", placedAt: now + 1, closedAt: now, place: "r")]))
            func page(_ window: OrderLists.Window, before: Int64 = .max) async throws -> [String] {
                try await pool.run(OrderLists.page(window, before: before, limit: 9)).map(\.order.value)
            }
            #expect(
                try await page(OrderLists.Window(app: 1, place: "r"), before: now + 3) == ["o2", "o1", "o0"]
            )
            #expect(try await page(OrderLists.Window(app: 1, place: "r", isOpen: true)) == ["o3", "o2", "o0"])
            #expect(try await page(OrderLists.Window(app: 1, place: "s")) == ["x"])
        }
    }

    @Test func `a number is found whole first, then by its beginning, page by page`() async throws {
        try await TestDatabase.with { _, pool in
            func reference(_ order: String, _ value: String) -> OrderReference {
                OrderReference(app: 1, order: OrderID(order), kind: .reference, value: value, at: now)
            }
            let rows = [
                reference("a", "4711"), reference("b", "4712"), reference("c", "481"), reference("d", "47\u{10FFFF}"),
                reference("e", "47%"), reference("f", "471"),
            ]
            for (lane, row) in rows.enumerated() {
                _ = try await pool.runAll(Orders.save(lane: Int32(lane), [order(row.order.value)]))
                for _ in 0..<2 { _ = try await pool.runAll(OrderReferences.save(lane: Int32(lane), [row])) }
            }
            func found(_ prefix: String, after value: String = "", _ id: String = "") async throws -> [String] {
                try await pool.run(
                    OrderReferences.search(app: 1, prefix: prefix, after: value, OrderID(id), limit: 4)
                )
                .map(\.reference.order.value)
            }
            #expect(try await found("471") == ["f", "a", "b"])
            #expect(try await found("4711") == ["a"])
            #expect(try await found("47") == ["e", "f", "a", "b"])
            #expect(try await found("47", after: "4712", "b") == ["d"])
            #expect(try await found("47%") == ["e"])
            #expect(try await found("9").isEmpty)
            let numbers = try await pool.run(OrderReferences.of(lane: 0, OrderKey(app: 1, order: OrderID("a"))))
            #expect(numbers == [rows[0]])
        }
    }

    // D26
    @Test func `texts are compared in their composed form`() async throws {
        try await TestDatabase.with { _, pool in
            _ = try await pool.runAll(Orders.save(lane: 0, [order("a")]))
            let decomposed = OrderReference(
                app: 1,
                order: OrderID("a"),
                kind: .display,
                value: "Cafe\u{301} 7",
                at: now
            )
            _ = try await pool.runAll(OrderReferences.save(lane: 0, [decomposed]))
            for text in ["Caf\u{E9}", "Cafe\u{301}"] {
                let found = try await pool.run(OrderReferences.search(app: 1, prefix: text, limit: 9))
                #expect(found.map(\.reference.order.value) == ["a"])
                #expect(found.map(\.reference.kind) == [.display])
            }
        }
    }
}
