internal import Postgres
package import PostgresStore
package import Tracking

/// Which orders somebody looks for.
package struct OrderFilter: Hashable, Sendable {
    package var restaurant: String?
    package var phase: Phase?
    /// All of these.
    package var flags: Order.Flags = []
    package var isOpen = false
    /// Placed in [`from`, `to`), microseconds since 1970.
    package var from: Int64 = .min
    package var to: Int64 = .max
    /// The newest fact is older than this.
    package var quietSince: Int64?

    package init() {}
}

/// An order in a list.
package struct ListedOrder: Sendable {
    package let stream: OrderStream
    package let placedAt: Int64
    package let lastAt: Int64
    package let closedAt: Int64?
    /// The number it was found by.
    package let match: (kind: ReferenceKind, value: String)?
}

/// A part of a list of orders, and what to go on after; nil: there is no more.
package struct OrderPage<Key: Sendable>: Sendable {
    package var orders: [ListedOrder] = []
    package var next: Key?
}

extension OrderReader {
    package struct PlacedKey: Hashable, Sendable {
        package var placedAt: Int64
        package var order: OrderID

        package init(placedAt: Int64, order: OrderID) {
            self.placedAt = placedAt
            self.order = order
        }
    }

    package struct ReferenceKey: Hashable, Sendable {
        package var value: String
        package var order: OrderID

        package init(value: String, order: OrderID) {
            self.value = value
            self.order = order
        }
    }

    /// How many orders one call looks at, whatever it finds: what no index knows is seen one by one.
    private static let mostSeen = 5_000
    /// How many are read at once: those of a page, but neither many small queries nor a long stay on the loop.
    private static let chunks = 100...500

    /// Orders that a filter lets through, newest first. A page may have fewer than `limit`, even none, and yet a `next`.
    package func orders(
        app: Int32,
        _ filter: OrderFilter,
        after key: PlacedKey?,
        limit: Int
    ) async throws -> OrderPage<PlacedKey> {
        let window = OrderLists.Window(app: app, place: filter.restaurant, isOpen: filter.isOpen)
        var page = OrderPage<PlacedKey>()
        var position = key ?? PlacedKey(placedAt: filter.to, order: OrderID(""))
        let chunk = min(max(limit, Self.chunks.lowerBound), Self.chunks.upperBound)
        for _ in 0..<Self.mostSeen / chunk {
            let rows = try await pool.run(
                OrderLists.page(window, before: position.placedAt, position.order, limit: chunk)
            )
            for row in rows {
                if row.placedAt < filter.from { return page }
                position = PlacedKey(placedAt: row.placedAt, order: row.order)
                guard let order = try filter.admits(row) else { continue }
                page.orders.append(order)
                if page.orders.count == limit {
                    page.next = position
                    return page
                }
            }
            if rows.count < chunk { return page }
        }
        page.next = position
        return page
    }

    /// Orders known by a number that begins with `text`; one that equals it comes first. Of a number with zeros in front, those
    /// follow that are known by it without them.
    package func orders(
        app: Int32,
        reference text: String,
        after key: ReferenceKey?,
        limit: Int
    ) async throws -> OrderPage<ReferenceKey> {
        let number = DisplayNumber(text)
        guard number.withoutZeros != number.text else {
            return try await orders(app: app, beginning: number.text, after: key, limit: limit)
        }
        if let key, !key.value.hasPrefix(number.text) {
            return try await orders(app: app, beginning: number.withoutZeros, after: key, limit: limit)
        }
        var page = try await orders(app: app, beginning: number.text, after: key, limit: limit)
        guard page.next == nil else { return page }
        let others = try await orders(
            app: app,
            beginning: number.withoutZeros,
            after: nil,
            limit: limit - page.orders.count
        )
        let known = Set(page.orders.map(\.stream.id))
        page.orders += others.orders.filter { !known.contains($0.stream.id) }
        page.next = others.next
        return page
    }

    private func orders(
        app: Int32,
        beginning prefix: String,
        after key: ReferenceKey?,
        limit: Int
    ) async throws -> OrderPage<ReferenceKey> {
        let found = try await pool.run(
            OrderReferences.search(
                app: app,
                prefix: prefix,
                after: key?.value ?? "",
                key?.order ?? OrderID(""),
                limit: limit
            )
        )
        var page = OrderPage<ReferenceKey>()
        let rows = try await rows(of: found)
        for reference in found.map(\.reference) {
            // A number is kept with the first fact of its order; what rests has no row.
            guard let row = rows[reference.order] else { continue }
            page.orders.append(try ListedOrder(row, match: (reference.kind, reference.value)))
        }
        if found.count == limit, let last = found.last?.reference {
            page.next = ReferenceKey(value: last.value, order: last.order)
        }
        return page
    }

    private func rows(of found: [FoundReference]) async throws -> [OrderID: OrderRow] {
        var rows: [OrderID: OrderRow] = [:]
        for (lane, references) in Dictionary(grouping: found, by: \.lane) {
            let keys = Set(references.map { OrderKey(app: $0.reference.app, order: $0.reference.order) })
            for row in try await pool.run(Orders.load(lane: lane, Array(keys))) { rows[row.order] = row }
        }
        return rows
    }
}

extension OrderFilter {
    /// The order, if it is one of those.
    fileprivate func admits(_ row: OrderRow) throws(StoredFormError) -> ListedOrder? {
        if let phase, row.phase != Int32(phase.rawValue) { return nil }
        if let quietSince, row.lastAt >= quietSince { return nil }
        let order = try ListedOrder(row, match: nil)
        return order.stream.order.flags.isSuperset(of: flags) ? order : nil
    }
}

extension ListedOrder {
    fileprivate init(_ row: OrderRow, match: (kind: ReferenceKind, value: String)?) throws(StoredFormError) {
        stream = try OrderStream(id: row.order, stored: row.state, activities: [])
        placedAt = row.placedAt
        lastAt = row.lastAt
        closedAt = row.closedAt
        self.match = match
    }
}
