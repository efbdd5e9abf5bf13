package import Crypto
package import Postgres
internal import Tracking

/// A slot to be claimed, and the fact that records the claim if it is a start.
package struct RecordedClaimRequest: Hashable, Sendable {
    package var card: CardKey
    /// The revision that is known; another one in the slot is left alone.
    package var rev: Int32
    /// Names the attempt for ever: its apns-id.
    package var claim: UUID128
    /// `push.start_claimed` with the attempt's number in its id; written only when the slot holds a start.
    package var fact: EventItem

    package init(card: CardKey, rev: Int32, claim: UUID128, fact: EventItem) {
        self.card = card
        self.rev = rev
        self.claim = claim
        self.fact = fact
    }
}

/// A slot that was claimed, by its place in the list of requests, from 0.
package struct RecordedClaim: Hashable, Sendable, RowDecodable {
    package let index: Int
    package let rev: Int32
    /// The payload's timestamp, in unix seconds.
    package let stamp: Int64
    package let body: [UInt8]
    /// Sealed update token.
    package let token: [UInt8]?
    package let generation: Int32

    package init(from row: inout PGRow) throws(PostgresError) {
        index = Int(try row.int4()) - 1
        rev = try row.int4()
        stamp = try row.int8()
        body = try row.bytea()
        token = try row.byteaOrNull()
        generation = try row.int4()
    }
}

extension Claims {
    /// Claims slots of one lane and records the claims of starts, in one transaction: see `003-claim.sql`.
    ///
    /// Answers with those it got, in no order; with none at all under another term than the lane's present one. Several
    /// lanes in one transaction only in ascending order. Must be durable before a start or an end leaves. `until`: when the
    /// claim counts as lost; `day`: the receipt day since 1970 (UTC); `now`: the database clock.
    package static func record(
        lane: Int32,
        term: Int64,
        now: Int64,
        until: Int64,
        day: Int32,
        _ requests: [RecordedClaimRequest]
    ) -> Query<[RecordedClaim]> {
        let facts = requests.map(\.fact)
        return .list(
            recordStatement,
            [.int4(lane), .int8(term), .timestamptz(now), .timestamptz(until), .int4(day)]
                + requests.map(\.card).columns
                + [
                    .int4Array(requests.map(\.rev)), .uuidArray(requests.map(\.claim)),
                    .uuidArray(facts.map(\.key)), .uuidArray(facts.map(\.print)), .uuidArray(facts.map(\.streamKey)),
                    .int4Array(facts.map(\.source)), .textArray(facts.map(\.id)), .byteaArray(facts.map(\.body)),
                ]
        )
    }

    private static let recordStatement = Statement(
        "record_claims",
        """
        SELECT i, rev, stamp, body, token, generation
        FROM claim_slots($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
        """
    )
}
