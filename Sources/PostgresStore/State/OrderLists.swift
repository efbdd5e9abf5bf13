package import Postgres
package import Tracking

/// Lists of orders for staff, newest first. They name no lane: on a cluster they ask all of them.
package enum OrderLists {
    /// Which orders a list goes through.
    package struct Window: Hashable, Sendable {
        package var app: Int32
        /// Of one restaurant.
        package var place: String?
        /// Only those that are not closed.
        package var isOpen: Bool

        package init(app: Int32, place: String? = nil, isOpen: Bool = false) {
            self.app = app
            self.place = place
            self.isOpen = isOpen
        }
    }

    /// Orders placed before (`placedAt`, `order`).
    package static func page(
        _ window: Window,
        before placedAt: Int64 = .max,
        _ order: OrderID = OrderID(""),
        limit: Int
    ) -> Query<[OrderRow]> {
        var parameters: [PGValue] = [
            .int4(window.app), .timestamptz(placedAt), .text(order.value),
            .int8(Int64(limit)),
        ]
        guard let place = window.place else {
            return .list(window.isOpen ? openStatement : placedStatement, parameters)
        }
        parameters.append(.text(place))
        return .list(window.isOpen ? openAtPlaceStatement : atPlaceStatement, parameters)
    }

    /// Each has its index: `order_placed`, `order_open`, `order_place`.
    private static let placedStatement = statement("placed_orders", "")
    private static let openStatement = statement("open_orders", "AND o.closed_at IS NULL")
    private static let atPlaceStatement = statement("orders_at_place", "AND o.place = $5")
    private static let openAtPlaceStatement = statement(
        "open_orders_at_place",
        "AND o.place = $5 AND o.closed_at IS NULL"
    )

    /// No bound at the other end: of two the planner expects few rows, and sorts them all.
    private static func statement(_ name: String, _ condition: String) -> Statement {
        Statement(
            name,
            """
            SELECT \(Orders.columns) FROM order_state o
            WHERE o.app = $1 \(condition) AND (o.placed_at, o.order_id) < ($2, $3)
            ORDER BY o.placed_at DESC, o.order_id DESC LIMIT $4
            """
        )
    }
}
