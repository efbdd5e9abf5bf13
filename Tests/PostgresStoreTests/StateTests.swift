import Postgres
import PostgresStore
import TestSupport
import Testing
import Tracking

/// What the projector keeps, written and read in batches.
@Suite(.enabled(if: TestDatabase.isAvailable))
struct StateTests {
    @Test func `orders come back as they were saved last`() async throws {
        try await TestDatabase.with { _, pool in
            var rows = [order("a", place: "p"), order("b", closedAt: now)]
            _ = try await pool.runAll(Orders.save(lane: 0, rows))
            rows[0].phase = 4
            rows[0].state = [4, 4]
            rows[0].customer = nil
            _ = try await pool.runAll(Orders.save(lane: 0, [rows[0]]))
            let keys = ["a", "b", "none"].map { OrderKey(app: 1, order: OrderID($0)) }
            let back = try await pool.run(Orders.load(lane: 0, keys))
            #expect(Set(back) == Set(rows))
            #expect(try await pool.run(Orders.load(lane: 1, keys)).isEmpty)
        }
    }

    @Test func `one pipeline loads all rows of an order`() async throws {
        try await TestDatabase.with { _, pool in
            _ = try await pool.runAll(
                Orders.save(lane: 0, [order("a"), order("b")])
                    + Activities.save(lane: 0, [activity("a"), activity("b")]) + Slots.save(lane: 0, [slot("a")])
            )
            let keys = [OrderKey(app: 1, order: OrderID("a"))]
            let (orders, activities, slots) = try await pool.run(
                Orders.load(lane: 0, keys),
                Activities.ofOrders(lane: 0, keys),
                Slots.ofOrders(lane: 0, keys)
            )
            #expect(orders == [order("a")])
            #expect(activities == [activity("a")])
            #expect(slots.map(\.wanted) == [slot("a")])
            #expect(slots[0].claim == nil)
        }
    }

    @Test func `a card's timestamp never steps back`() async throws {
        try await TestDatabase.with { _, pool in
            _ = try await pool.runAll(Activities.save(lane: 0, [activity("a", lastStamp: 50)]))
            _ = try await pool.runAll(Activities.save(lane: 0, [activity("a", generation: 2, lastStamp: 40)]))
            let keys = [OrderKey(app: 1, order: OrderID("a"))]
            #expect(
                try await pool.run(Activities.ofOrders(lane: 0, keys)) == [activity("a", generation: 2, lastStamp: 50)]
            )
        }
    }

    @Test func `ids that look alike but differ in bytes are two orders`() async throws {
        try await TestDatabase.with { _, pool in
            let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
            _ = try await pool.runAll(Orders.save(lane: 0, [order(composed), order(decomposed)]))
            let back = try await pool.run(Orders.load(lane: 0, [OrderKey(app: 1, order: OrderID(composed))]))
            #expect(back.map(\.order) == [OrderID(composed)])
        }
    }

    @Test func `effects are recorded once`() async throws {
        try await TestDatabase.with { _, pool in
            let first = EffectRow(pos: 3, policy: 1, decidedAt: now, items: [1])
            let other = EffectRow(pos: 9, policy: 1, decidedAt: now, items: [9])
            _ = try await pool.runAll(Effects.insert(lane: 0, [first, other]))
            _ = try await pool.runAll(
                Effects.insert(lane: 0, [EffectRow(pos: 3, policy: 2, decidedAt: now, items: [2])])
            )
            #expect(try await pool.run(Effects.of(lane: 0, positions: [9, 3, 4])) == [first, other])
        }
    }

    @Test func `devices are saved, read for sending and deleted`() async throws {
        try await TestDatabase.with { _, pool in
            func device(_ id: String, token: [UInt8]?) -> DeviceRow {
                DeviceRow(
                    app: 1,
                    device: DeviceID(id),
                    generation: 2,
                    keyID: 1,
                    registeredAt: now,
                    seenDay: today,
                    customer: CustomerID("c"),
                    startToken: token,
                    deviceToken: token.map { $0 + [9] },
                    settings: [8]
                )
            }
            _ = try await pool.runAll(Devices.save(lane: 0, [device("a", token: [1]), device("b", token: [2])]))
            _ = try await pool.runAll(Devices.save(lane: 0, [device("b", token: nil)]))
            let keys = ["a", "b"].map { DeviceKey(app: 1, device: DeviceID($0)) }
            #expect(
                Set(try await pool.run(Devices.load(lane: 0, keys))) == [
                    device("a", token: [1]), device("b", token: nil),
                ]
            )
            let tokens = try await pool.run(Devices.tokens(lane: 0, keys)).sorted {
                $0.device.value < $1.device.value
            }
            #expect(tokens.map(\.startToken) == [[1], nil])
            #expect(tokens.map(\.deviceToken) == [[1, 9], nil])
            #expect(tokens.map(\.generation) == [2, 2])
            _ = try await pool.runAll(Devices.delete(lane: 0, [keys[0]]))
            #expect(try await pool.run(Devices.load(lane: 0, keys)).map(\.device) == [DeviceID("b")])
        }
    }

    @Test func `a token value has one owner`() async throws {
        try await TestDatabase.with { _, pool in
            let key = TokenKey(app: 1, hash: [1, 2, 3], kind: .start, environment: .production)
            let first = TokenOwnerRow(key: key, device: DeviceID("a"), claim: 1)
            _ = try await pool.runAll(TokenOwners.save(lane: 0, [first]))
            let moved = TokenOwnerRow(key: key, device: DeviceID("b"), order: OrderID("o"), claim: 7, deadAt: now)
            _ = try await pool.runAll(TokenOwners.save(lane: 0, [moved]))
            #expect(try await pool.run(TokenOwners.load(lane: 0, [key])) == [moved])
            _ = try await pool.runAll(TokenOwners.delete(lane: 0, [key]))
            #expect(try await pool.run(TokenOwners.load(lane: 0, [key])).isEmpty)
        }
    }

    @Test func `a customer's links keep the time they began`() async throws {
        try await TestDatabase.with { _, pool in
            func link(_ kind: StreamKind, _ member: String, since: Int64 = now, body: [UInt8]? = nil) -> CustomerLinkRow
            {
                CustomerLinkRow(
                    key: CustomerLinkKey(app: 1, customer: CustomerID("c"), kind: kind, member: member),
                    since: since,
                    body: body
                )
            }
            let rows = [link(.device, "d"), link(.order, "o")]
            _ = try await pool.runAll(CustomerLinks.save(lane: 0, rows))
            _ = try await pool.runAll(CustomerLinks.save(lane: 0, [link(.device, "d", since: now + 5, body: [1])]))
            let keys = [CustomerKey(app: 1, customer: CustomerID("c")), CustomerKey(app: 1, customer: CustomerID("x"))]
            #expect(
                Set(try await pool.run(CustomerLinks.load(lane: 0, keys))) == [
                    link(.device, "d", body: [1]), link(.order, "o"),
                ]
            )
            _ = try await pool.runAll(CustomerLinks.delete(lane: 0, [rows[0].key]))
            #expect(try await pool.run(CustomerLinks.load(lane: 0, keys)) == [link(.order, "o")])
        }
    }

    @Test func `nothing to write is no statement`() {
        #expect(Orders.save(lane: 0, []).isEmpty)
        #expect(Slots.delete(lane: 0, []).isEmpty)
        #expect(Relays.delete(lane: 0, []).isEmpty)
        #expect(Slots.settle(lane: 0, [:]).isEmpty)
    }
}
