package import Postgres
package import Tracking

/// A row of a shift list inside a lane.
package struct AttentionKey: Hashable, Sendable {
    package var app: Int32
    package var order: OrderID
    /// Which list: stuck, stale, contradictory, push failed …
    package var what: Int32
    package var detail: String

    package init(
        app: Int32,
        order: OrderID,
        what: Int32,
        detail: String
    ) {
        self.app = app
        self.order = order
        self.what = what
        self.detail = detail
    }
}

/// An order that staff should look at, since when and why.
package struct AttentionRow: Hashable, Sendable, RowDecodable {
    package var lane: Int32
    package var app: Int32
    package var order: OrderID
    package var what: Int32
    package var detail: String
    package var since: Int64
    package var place: String?

    package init(
        lane: Int32,
        app: Int32,
        order: OrderID,
        what: Int32,
        detail: String,
        since: Int64,
        place: String? = nil
    ) {
        self.lane = lane
        self.app = app
        self.order = order
        self.what = what
        self.detail = detail
        self.since = since
        self.place = place
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        lane = try row.int4()
        app = try row.int4()
        order = try row.order()
        what = try row.int4()
        detail = try row.text()
        since = try row.timestamptz()
        place = try row.textOrNull()
    }
}

/// The shift lists: rows come and go with their cause, written by the projector.
package enum Attention {
    /// Adds rows to one lane; one that is there keeps its time.
    package static func insert(lane: Int32, _ rows: [AttentionRow]) -> [Write] {
        .unless(
            rows.isEmpty,
            insertStatement,
            [
                .int4(lane), .int4Array(rows.map(\.app)), .textArray(rows.map(\.order.value)),
                .int4Array(rows.map(\.what)), .textArray(rows.map(\.detail)), .timestamptzArray(rows.map(\.since)),
                .textArray(rows.map(\.place)),
            ]
        )
    }

    package static func delete(lane: Int32, _ keys: [AttentionKey]) -> [Write] {
        .unless(
            keys.isEmpty,
            deleteStatement,
            [
                .int4(lane), .int4Array(keys.map(\.app)), .textArray(keys.map(\.order.value)),
                .int4Array(keys.map(\.what)), .textArray(keys.map(\.detail)),
            ]
        )
    }

    /// One list of an app over all lanes, oldest first, from after (`since`, `order`, `detail`) on.
    package static func list(
        app: Int32,
        what: Int32,
        after since: Int64 = .min,
        _ order: OrderID = OrderID(""),
        detail: String = "",
        limit: Int
    ) -> Query<[AttentionRow]> {
        .list(
            listStatement,
            [
                .int4(app), .int4(what), .timestamptz(since), .text(order.value), .text(detail), .int8(Int64(limit)),
            ]
        )
    }

    private static let insertStatement = Statement(
        "insert_attention",
        """
        INSERT INTO attention (lane, app, order_id, what, detail, since, place)
        SELECT $1, u.* FROM unnest($2, $3, $4, $5, $6, $7) u
        ON CONFLICT (lane, app, order_id, what, detail) DO NOTHING
        """
    )

    private static let deleteStatement = Statement(
        "delete_attention",
        """
        DELETE FROM attention a USING unnest($2, $3, $4, $5) k(app, order_id, what, detail)
        WHERE a.lane = $1 AND a.app = k.app AND a.order_id = k.order_id AND a.what = k.what AND a.detail = k.detail
        """
    )

    private static let listStatement = Statement(
        "attention_list",
        """
        SELECT lane, app, order_id, what, detail, since, place FROM attention
        WHERE app = $1 AND what = $2 AND since >= $3 AND (since, order_id, detail) > ($3, $4, $5)
        ORDER BY since, order_id, detail LIMIT $6
        """
    )
}
