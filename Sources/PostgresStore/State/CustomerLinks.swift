package import Postgres
package import Tracking

/// What a customer has, inside the customer's lane.
package struct CustomerLinkKey: Hashable, Sendable, RowDecodable {
    package var app: Int32
    package var customer: CustomerID
    /// `device` or `order`.
    package var kind: StreamKind
    /// The device's or the order's id.
    package var member: String

    package init(
        app: Int32,
        customer: CustomerID,
        kind: StreamKind,
        member: String
    ) {
        self.app = app
        self.customer = customer
        self.kind = kind
        self.member = member
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        app = try row.int4()
        customer = try row.customer()
        kind = try row.kind()
        member = try row.text()
    }
}

/// A device or an open order of a customer.
package struct CustomerLinkRow: Hashable, Sendable, RowDecodable {
    package var key: CustomerLinkKey
    package var since: Int64
    package var body: [UInt8]?

    package init(key: CustomerLinkKey, since: Int64, body: [UInt8]? = nil) {
        self.key = key
        self.since = since
        self.body = body
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        key = try CustomerLinkKey(from: &row)
        since = try row.timestamptz()
        body = try row.byteaOrNull()
    }
}

extension [CustomerLinkKey] {
    fileprivate var columns: [PGValue] {
        [
            .int4Array(map(\.app)), .textArray(map(\.customer.value)), .charArray(map(\.kind.rawValue)),
            .textArray(map(\.member)),
        ]
    }
}

package enum CustomerLinks {
    /// All devices and open orders of these customers.
    package static func load(lane: Int32, _ keys: [CustomerKey]) -> Query<[CustomerLinkRow]> {
        .list(
            loadStatement,
            [.int4(lane), .int4Array(keys.map(\.app)), .textArray(keys.map(\.customer.value))]
        )
    }

    /// Writes links; one that exists keeps its `since`.
    package static func save(lane: Int32, _ rows: [CustomerLinkRow]) -> [Write] {
        .unless(
            rows.isEmpty,
            saveStatement,
            [.int4(lane)] + rows.map(\.key).columns
                + [.timestamptzArray(rows.map(\.since)), .byteaArray(rows.map(\.body))]
        )
    }

    package static func delete(lane: Int32, _ keys: [CustomerLinkKey]) -> [Write] {
        .unless(keys.isEmpty, deleteStatement, [.int4(lane)] + keys.columns)
    }

    private static let loadStatement = Statement(
        "load_customer_links",
        """
        SELECT l.app, l.customer, l.kind, l.member, l.since, l.body FROM unnest($2, $3) k(app, customer)
          JOIN customer_link l ON l.lane = $1 AND l.app = k.app AND l.customer = k.customer
        """
    )

    private static let saveStatement = Statement(
        "save_customer_links",
        """
        INSERT INTO customer_link (lane, app, customer, kind, member, since, body)
        SELECT $1, u.* FROM unnest($2, $3, $4, $5, $6, $7) u
        ON CONFLICT (lane, app, customer, kind, member) DO UPDATE SET body = excluded.body
        """
    )

    private static let deleteStatement = Statement(
        "delete_customer_links",
        """
        DELETE FROM customer_link l USING unnest($2, $3, $4, $5) k(app, customer, kind, member)
        WHERE l.lane = $1 AND l.app = k.app AND l.customer = k.customer AND l.kind = k.kind AND l.member = k.member
        """
    )
}
