package import Postgres
package import Tracking

/// A customer's key, wrapped by a master key. Without it the customer's tokens and names cannot be read any more.
package struct PersonKeyRow: Hashable, Sendable, RowDecodable {
    package var app: Int32
    package var customer: CustomerID
    package var keyID: Int32
    package var master: Int32
    package var wrapped: [UInt8]

    package init(
        app: Int32,
        customer: CustomerID,
        keyID: Int32,
        master: Int32,
        wrapped: [UInt8]
    ) {
        self.app = app
        self.customer = customer
        self.keyID = keyID
        self.master = master
        self.wrapped = wrapped
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        app = try row.int4()
        customer = try row.customer()
        keyID = try row.int4()
        master = try row.int4()
        wrapped = try row.bytea()
    }
}

package enum PersonKeys {
    package static func load(lane: Int32, _ keys: [CustomerKey]) -> Query<[PersonKeyRow]> {
        .list(
            loadStatement,
            [.int4(lane), .int4Array(keys.map(\.app)), .textArray(keys.map(\.customer.value))]
        )
    }

    /// Keeps a new key; answers 0 when there is one with this number already: load that.
    package static func insert(lane: Int32, _ row: PersonKeyRow) -> Query<Int> {
        .counting(
            insertStatement,
            [
                .int4(lane), .int4(row.app), .text(row.customer.value), .int4(row.keyID), .int4(row.master),
                .bytea(row.wrapped),
            ]
        )
    }

    /// Deletes all keys of a customer: log, replicas and archives become unreadable at once. Answers how many.
    package static func shred(lane: Int32, _ key: CustomerKey) -> Query<Int> {
        .counting(shredStatement, [.int4(lane), .int4(key.app), .text(key.customer.value)])
    }

    private static let loadStatement = Statement(
        "load_person_keys",
        """
        SELECT p.app, p.customer, p.key_id, p.master, p.wrapped FROM unnest($2, $3) k(app, customer)
          JOIN person_key p ON p.lane = $1 AND p.app = k.app AND p.customer = k.customer
        """
    )

    private static let insertStatement = Statement(
        "insert_person_key",
        """
        INSERT INTO person_key (lane, app, customer, key_id, master, wrapped) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (lane, app, customer, key_id) DO NOTHING
        """
    )

    private static let shredStatement = Statement(
        "shred_person_keys",
        "DELETE FROM person_key WHERE lane = $1 AND app = $2 AND customer = $3"
    )
}
