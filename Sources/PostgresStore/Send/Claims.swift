package import Crypto
package import Postgres
package import Tracking

/// A slot the sender wants to send now.
package struct ClaimRequest: Hashable, Sendable {
    package var key: SlotKey
    /// The revision it has seen; another one in the slot is left alone.
    package var rev: Int32
    /// Names this request, for ever: its `apns-id`.
    package var claim: UUID128
    /// The push timestamp it would use, in unix seconds.
    package var stamp: Int64

    package init(key: SlotKey, rev: Int32, claim: UUID128, stamp: Int64) {
        self.key = key
        self.rev = rev
        self.claim = claim
        self.stamp = stamp
    }
}

/// A slot that may be claimed.
package struct DueSlot: Hashable, Sendable, RowDecodable {
    package var key: SlotKey
    package var rev: Int32
    package var verb: Verb
    package var dueAt: Int64
    package var expiresAt: Int64?

    package init(from row: inout PGRow) throws(PostgresError) {
        key = try SlotKey(from: &row)
        rev = try row.int4()
        verb = try row.verb()
        dueAt = try row.timestamptz()
        expiresAt = try row.timestamptzOrNull()
    }
}

/// What a sender got: the intention, and what its request needs of the card.
package struct ClaimedSlot: Hashable, Sendable, RowDecodable {
    package let key: SlotKey
    package let claim: UUID128
    package let rev: Int32
    package let verb: Verb
    package let attempt: Int32
    package let expiresAt: Int64?
    /// The push timestamp to use, in unix seconds: greater than every earlier one of this card.
    package let stamp: Int64
    package let body: [UInt8]
    /// Sealed update token; nil when the card has none, or no row yet.
    package let token: [UInt8]?
    package let tokenGeneration: Int32
    package let keyID: Int32
    /// The card's newest timestamp before this claim; 0 without a row.
    package let lastStamp: Int64

    package init(from row: inout PGRow) throws(PostgresError) {
        key = try SlotKey(from: &row)
        claim = try row.uuid()
        rev = try row.int4()
        verb = try row.verb()
        attempt = try row.int4()
        expiresAt = try row.timestamptzOrNull()
        stamp = try row.int8()
        body = try row.bytea()
        token = try row.byteaOrNull()
        tokenGeneration = try row.int4()
        keyID = try row.int4()
        lastStamp = try row.int8()
    }
}

/// The sender's side of the slots.
package enum Claims {
    /// Slots that are due and nobody's, earliest first.
    package static func due(lane: Int32, now: Int64, limit: Int) -> Query<[DueSlot]> {
        .list(dueStatement, [.int4(lane), .timestamptz(now), .int8(Int64(limit))])
    }

    /// Claims whose deadline has passed: their outcome is unknown.
    package static func lost(lane: Int32, now: Int64, limit: Int) -> Query<[SlotRow]> {
        .list(lostStatement, [.int4(lane), .timestamptz(now), .int8(Int64(limit))])
    }

    /// Claims slots of one lane, in one statement, and answers with those it got.
    ///
    /// None under another term than the lane's present one; none that is claimed, is at another revision, or is being
    /// written this moment: those come back by their next hint. Must be durable before a start or an end leaves. `until`:
    /// when the claim counts as lost.
    package static func take(lane: Int32, term: Int64, until: Int64, _ requests: [ClaimRequest]) -> Query<[ClaimedSlot]>
    {
        .list(
            takeStatement,
            [.int4(lane), .int8(term), .timestamptz(until)] + requests.map(\.key).columns
                + [
                    .int4Array(requests.map(\.rev)), .uuidArray(requests.map(\.claim)),
                    .int8Array(requests.map(\.stamp)),
                ]
        )
    }

    private static let dueStatement = Statement(
        "due_slots",
        """
        SELECT s.app, s.order_id, s.device, s.incarnation, s.target, s.rev, s.verb, s.due_at, s.expires_at FROM slot s
        WHERE s.lane = $1 AND s.claim IS NULL AND s.due_at <= $2 ORDER BY s.due_at LIMIT $3
        """
    )

    private static let lostStatement = Statement(
        "lost_slots",
        """
        SELECT \(Slots.columns) FROM slot s
        WHERE s.lane = $1 AND s.claim IS NOT NULL AND s.until <= $2 ORDER BY s.until LIMIT $3
        """
    )

    /// The lease row is locked against a take-over until the claim is committed: a claim of an old term cannot appear after
    /// a new one has begun. A slot that the projector holds is skipped, not waited for.
    private static let takeStatement = Statement(
        "claim_slots",
        """
        WITH lease AS MATERIALIZED (
          SELECT l.lane FROM lane_lease l WHERE l.lane = $1 AND l.role = 'w' AND l.term = $2 FOR SHARE
        ), free AS MATERIALIZED (
          SELECT s.app, s.order_id, s.device, s.incarnation, s.target, k.claim, k.stamp
          FROM lease, unnest($4, $5, $6, $7, $8, $9, $10, $11)
              k(app, order_id, device, incarnation, target, rev, claim, stamp)
            JOIN slot s ON s.lane = $1 AND s.app = k.app AND s.order_id = k.order_id AND s.device = k.device
              AND s.incarnation = k.incarnation AND s.target = k.target AND s.rev = k.rev AND s.claim IS NULL
          FOR UPDATE OF s SKIP LOCKED
        )
        UPDATE slot s SET claim = f.claim, claim_rev = s.rev, claim_generation = coalesce(a.token_generation, 0), term = $2,
          until = $3, stamp = greatest(f.stamp, s.stamp + 1, a.last_stamp + 1)
        FROM free f LEFT JOIN activity a ON a.lane = $1 AND a.app = f.app AND a.order_id = f.order_id AND a.device = f.device
          AND a.incarnation = f.incarnation
        WHERE s.lane = $1 AND s.app = f.app AND s.order_id = f.order_id AND s.device = f.device
          AND s.incarnation = f.incarnation AND s.target = f.target
        RETURNING s.app, s.order_id, s.device, s.incarnation, s.target, s.claim, s.rev, s.verb, s.attempt, s.expires_at,
          s.stamp, s.body, a.token, coalesce(a.token_generation, 0), coalesce(a.key_id, 0), coalesce(a.last_stamp, 0)
        """
    )
}
