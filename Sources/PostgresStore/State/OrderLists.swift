package import Postgres
package import Tracking

/// An order of a list, with the lane it lives in.
package struct ListedOrder: Hashable, Sendable, RowDecodable {
    package let lane: Int32
    package let row: OrderRow

    package init(from row: inout PGRow) throws(PostgresError) {
        lane = try row.int4()
        self.row = try OrderRow(from: &row)
    }
}

/// A number an order is known by: the partner's, the displayed one, a courier's, a batch.
package struct OrderReference: Hashable, Sendable, RowDecodable {
    package var app: Int32
    package var order: OrderID
    /// Which kind of number.
    package var what: Int32
    package var value: String
    package var at: Int64

    package init(
        app: Int32,
        order: OrderID,
        what: Int32,
        value: String,
        at: Int64
    ) {
        self.app = app
        self.order = order
        self.what = what
        self.value = value
        self.at = at
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        app = try row.int4()
        order = try row.order()
        what = try row.int4()
        value = try row.text()
        at = try row.timestamptz()
    }
}

/// Lists and searches of staff. They name no lane: on a cluster they ask all of them.
package enum OrderLists {
    /// Open orders of an app, newest first, from before (`placedAt`, `order`) on.
    package static func open(
        app: Int32,
        before placedAt: Int64 = .max,
        _ order: OrderID = OrderID(""),
        limit: Int
    ) -> Query<[ListedOrder]> {
        .list(openStatement, [.int4(app), .timestamptz(placedAt), .text(order.value), .int8(Int64(limit))])
    }

    /// Orders of a restaurant placed in [`from`, `to`), oldest first, from after (`placedAt`, `order`) on.
    package static func atPlace(
        app: Int32,
        place: String,
        from: Int64,
        to: Int64,
        after placedAt: Int64 = .min,
        _ order: OrderID = OrderID(""),
        limit: Int
    ) -> Query<[ListedOrder]> {
        .list(
            placeStatement,
            [
                .int4(app), .text(place), .timestamptz(from), .timestamptz(to), .timestamptz(placedAt),
                .text(order.value),
                .int8(Int64(limit)),
            ]
        )
    }

    /// Keeps numbers; one that is known already stays as it is.
    package static func saveReferences(lane: Int32, _ rows: [OrderReference]) -> [Write] {
        .unless(
            rows.isEmpty,
            saveReferencesStatement,
            [
                .int4(lane), .int4Array(rows.map(\.app)), .textArray(rows.map(\.order.value)),
                .int4Array(rows.map(\.what)), .textArray(rows.map(\.value)), .timestamptzArray(rows.map(\.at)),
            ]
        )
    }

    /// Orders known by a number that begins with `prefix`, by number.
    package static func search(app: Int32, prefix: String, limit: Int) -> Query<[OrderReference]> {
        .list(searchStatement, [.int4(app), .text(prefix), .text(upperBound(prefix)), .int8(Int64(limit))])
    }

    /// The numbers of one order.
    package static func references(lane: Int32, _ key: OrderKey) -> Query<[OrderReference]> {
        .list(referencesStatement, [.int4(lane), .int4(key.app), .text(key.order.value)])
    }

    /// What begins with `prefix` sorts before this: the database sorts by bytes, and this is the last scalar there is.
    private static func upperBound(_ prefix: String) -> String { prefix + "\u{10FFFF}\u{10FFFF}" }

    private static let openStatement = Statement(
        "open_orders",
        """
        SELECT o.lane, \(Orders.columns) FROM order_state o
        WHERE o.app = $1 AND o.closed_at IS NULL AND (o.placed_at, o.order_id) < ($2, $3)
        ORDER BY o.placed_at DESC, o.order_id DESC LIMIT $4
        """
    )

    private static let placeStatement = Statement(
        "orders_at_place",
        """
        SELECT o.lane, \(Orders.columns) FROM order_state o
        WHERE o.app = $1 AND o.place = $2 AND o.placed_at >= $3 AND o.placed_at < $4
          AND (o.placed_at, o.order_id) > ($5, $6)
        ORDER BY o.placed_at, o.order_id LIMIT $7
        """
    )

    private static let saveReferencesStatement = Statement(
        "save_references",
        """
        INSERT INTO order_ref (lane, app, order_id, what, value, at)
        SELECT $1, u.* FROM unnest($2, $3, $4, $5, $6) u
        ON CONFLICT (lane, app, order_id, what, value) DO NOTHING
        """
    )

    private static let searchStatement = Statement(
        "search_references",
        """
        SELECT app, order_id, what, value, at FROM order_ref
        WHERE app = $1 AND value >= $2 AND value < $3 ORDER BY value, at LIMIT $4
        """
    )

    private static let referencesStatement = Statement(
        "references_of_order",
        """
        SELECT app, order_id, what, value, at FROM order_ref
        WHERE lane = $1 AND app = $2 AND order_id = $3 ORDER BY what, value
        """
    )
}
