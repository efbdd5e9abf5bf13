package import Crypto
package import Postgres
package import Tracking

/// What the projector wants shown on one card. Times are microseconds since 1970; `dueAt` `Int64.max`: not yet known.
package struct SlotWrite: Hashable, Sendable {
    package var key: SlotKey
    package var rev: Int32
    package var attempt: Int32
    package var dueAt: Int64
    package var expiresAt: Int64?
    /// The newest push timestamp known, in unix seconds; a slot's own only grows.
    package var stamp: Int64
    package var verb: Verb
    package var body: [UInt8]

    package init(
        key: SlotKey,
        rev: Int32,
        attempt: Int32 = 0,
        dueAt: Int64,
        expiresAt: Int64? = nil,
        stamp: Int64,
        verb: Verb,
        body: [UInt8]
    ) {
        self.key = key
        self.rev = rev
        self.attempt = attempt
        self.dueAt = dueAt
        self.expiresAt = expiresAt
        self.stamp = stamp
        self.verb = verb
        self.body = body
    }
}

/// A slot with its claim, if a sender has one.
package struct SlotRow: Hashable, Sendable, RowDecodable {
    package struct Claim: Hashable, Sendable {
        package let id: UUID128
        /// What was sent, which the slot may have replaced since.
        package let verb: Verb
        package let rev: Int32
        /// The update token's; 0 for a start.
        package let generation: Int32
        package let term: Int64
        package let until: Int64
    }

    package let wanted: SlotWrite
    package let claim: Claim?

    package init(from row: inout PGRow) throws(PostgresError) {
        wanted = SlotWrite(
            key: try SlotKey(from: &row),
            rev: try row.int4(),
            attempt: try row.int4(),
            dueAt: try row.timestamptz(),
            expiresAt: try row.timestamptzOrNull(),
            stamp: try row.int8(),
            verb: try row.verb(),
            body: try row.bytea()
        )
        guard let id = try row.uuidOrNull() else {
            claim = nil
            return
        }
        claim = Claim(
            id: id,
            verb: try row.verb(),
            rev: try row.int4(),
            generation: try row.int4(),
            term: try row.int8(),
            until: try row.timestamptz()
        )
    }
}

/// The pending intentions. The projector writes what is wanted and clears claims on folding their outcome; the sender
/// only sets claims (`Claims`). It takes slots that nobody holds, so neither ever waits for the other in a circle.
package enum Slots {
    static let columns = """
        s.app, s.order_id, s.device, s.incarnation, s.target, s.rev, s.attempt, s.due_at, s.expires_at, s.stamp, s.verb, s.body,
          s.claim, s.claim_verb, s.claim_rev, s.claim_generation, s.term, s.until
        """

    /// All slots of these orders.
    package static func ofOrders(lane: Int32, _ keys: [OrderKey]) -> Query<[SlotRow]> {
        .list(ofOrdersStatement, [.int4(lane)] + keys.columns)
    }

    /// Writes what is wanted. A claim stays, unless it is one of `settled`: those whose outcome was folded.
    package static func save(lane: Int32, _ rows: [SlotWrite], settled: [UUID128] = []) -> [Write] {
        .unless(
            rows.isEmpty,
            saveStatement,
            [.int4(lane)] + rows.map(\.key).columns
                + [
                    .int4Array(rows.map(\.rev)), .int4Array(rows.map(\.attempt)), .timestamptzArray(rows.map(\.dueAt)),
                    .timestamptzArray(rows.map(\.expiresAt)), .int8Array(rows.map(\.stamp)),
                    .charArray(rows.map(\.verb.rawValue)), .byteaArray(rows.map(\.body)), .uuidArray(settled),
                ]
        )
    }

    /// Deletes slots with nothing wanted, unless they carry a claim that is not one of `settled`.
    package static func delete(lane: Int32, _ keys: [SlotKey], settled: [UUID128] = []) -> [Write] {
        .unless(keys.isEmpty, deleteStatement, [.int4(lane)] + keys.columns + [.uuidArray(settled)])
    }

    /// Clears claims whose outcome was folded, where the slot's wishes stay as they are.
    package static func settle(lane: Int32, _ claims: [SlotKey: UUID128]) -> [Write] {
        .unless(
            claims.isEmpty,
            settleStatement,
            [.int4(lane)] + Array(claims.keys).columns + [.uuidArray(Array(claims.values))]
        )
    }

    private static let ofOrdersStatement = Statement(
        "slots_of_orders",
        """
        SELECT \(columns) FROM unnest($2, $3) k(app, order_id)
          JOIN slot s ON s.lane = $1 AND s.app = k.app AND s.order_id = k.order_id
        """
    )

    private static let saveStatement = Statement(
        "save_slots",
        """
        INSERT INTO slot AS s (lane, app, order_id, device, incarnation, target, rev, attempt, due_at, expires_at, stamp, verb, body)
        SELECT $1, u.* FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) u
        ON CONFLICT (lane, app, order_id, device, incarnation, target) DO UPDATE SET rev = excluded.rev,
          attempt = excluded.attempt, due_at = excluded.due_at, expires_at = excluded.expires_at,
          stamp = greatest(s.stamp, excluded.stamp), verb = excluded.verb, body = excluded.body,
          claim = CASE WHEN s.claim = ANY($14) THEN NULL ELSE s.claim END
        """
    )

    private static let deleteStatement = Statement(
        "delete_slots",
        """
        DELETE FROM slot s USING unnest($2, $3, $4, $5, $6) k(app, order_id, device, incarnation, target)
        WHERE s.lane = $1 AND s.app = k.app AND s.order_id = k.order_id AND s.device = k.device
          AND s.incarnation = k.incarnation AND s.target = k.target AND (s.claim IS NULL OR s.claim = ANY($7))
        """
    )

    private static let settleStatement = Statement(
        "settle_slots",
        """
        UPDATE slot s SET claim = NULL
        FROM unnest($2, $3, $4, $5, $6, $7) k(app, order_id, device, incarnation, target, claim)
        WHERE s.lane = $1 AND s.app = k.app AND s.order_id = k.order_id AND s.device = k.device
          AND s.incarnation = k.incarnation AND s.target = k.target AND s.claim = k.claim
        """
    )
}
