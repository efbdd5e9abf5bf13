package import Postgres
package import Tracking

/// What kind of number an order is known by.
package enum ReferenceKind: Int32, Hashable, Sendable, CaseIterable {
    case order
    /// One of the partner's references.
    case reference
    /// The number that is displayed.
    case display
    case courier
    case batch
}

/// A number an order is known by.
package struct OrderReference: Hashable, Sendable, RowDecodable {
    package var app: Int32
    package var order: OrderID
    package var kind: ReferenceKind
    package var value: String
    package var at: Int64

    package init(app: Int32, order: OrderID, kind: ReferenceKind, value: String, at: Int64) {
        self.app = app
        self.order = order
        self.kind = kind
        self.value = value
        self.at = at
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        app = try row.int4()
        order = try row.order()
        kind = try row.referenceKind()
        value = try row.text()
        at = try row.timestamptz()
    }
}

/// An order found by a number, with the lane it lives in.
package struct FoundReference: Hashable, Sendable, RowDecodable {
    package let lane: Int32
    package let reference: OrderReference

    package init(from row: inout PGRow) throws(PostgresError) {
        lane = try row.int4()
        reference = try OrderReference(from: &row)
    }
}

extension PGRow {
    fileprivate mutating func referenceKind() throws(PostgresError) -> ReferenceKind {
        guard let kind = ReferenceKind(rawValue: try int4()) else {
            throw PostgresError(.badValue, "what", message: "a number without a meaning")
        }
        return kind
    }
}

/// Search by every number an order is known by. Texts are compared in their composed form (NFC).
package enum OrderReferences {
    /// Keeps numbers; one that is known already stays as it is.
    package static func save(lane: Int32, _ rows: [OrderReference]) -> [Write] {
        .unless(
            rows.isEmpty,
            saveStatement,
            [
                .int4(lane), .int4Array(rows.map(\.app)), .textArray(rows.map(\.order.value)),
                .int4Array(rows.map(\.kind.rawValue)), .textArray(rows.map(\.value)),
                .timestamptzArray(rows.map(\.at)),
            ]
        )
    }

    /// Orders known by a number that begins with `prefix`, by number and then by id: one that equals it comes first. From
    /// after (`value`, `order`) on.
    package static func search(
        app: Int32,
        prefix: String,
        after value: String = "",
        _ order: OrderID = OrderID(""),
        limit: Int
    ) -> Query<[FoundReference]> {
        .list(
            searchStatement,
            [
                .int4(app), .text(prefix), .text(prefix + Self.last), .text(value), .text(order.value),
                .int8(Int64(limit)),
            ]
        )
    }

    /// The numbers of one order.
    package static func of(lane: Int32, _ key: OrderKey) -> Query<[OrderReference]> {
        .list(ofOrderStatement, [.int4(lane), .int4(key.app), .text(key.order.value)])
    }

    /// What begins with a prefix sorts before the prefix with this: the database sorts by bytes, and this is the last scalar
    /// there is.
    private static let last = "\u{10FFFF}\u{10FFFF}"

    private static let saveStatement = Statement(
        "save_references",
        """
        INSERT INTO order_ref (lane, app, order_id, what, value, at)
        SELECT $1, u.app, u.order_id, u.what, normalize(u.value, NFC), u.at
        FROM unnest($2, $3, $4, $5, $6) u(app, order_id, what, value, at)
        ON CONFLICT (lane, app, order_id, what, value) DO NOTHING
        """
    )

    private static let searchStatement = Statement(
        "search_references",
        """
        SELECT lane, app, order_id, what, value, at FROM order_ref
        WHERE app = $1 AND value >= normalize($2, NFC) AND value < normalize($3, NFC)
          AND (value, order_id) > ($4, $5)
        ORDER BY value, order_id LIMIT $6
        """
    )

    private static let ofOrderStatement = Statement(
        "references_of_order",
        """
        SELECT app, order_id, what, value, at FROM order_ref
        WHERE lane = $1 AND app = $2 AND order_id = $3 ORDER BY what, value
        """
    )
}
