package import Crypto
package import Postgres

/// A slot that belongs to no card, an alert's or a channel's, to be claimed.
package struct AsideClaimRequest: Hashable, Sendable {
    /// With incarnation 0 or -1.
    package var card: CardKey
    /// The revision that is known; another one in the slot is left alone.
    package var rev: Int32
    /// Names the attempt for ever: its apns-id.
    package var claim: UUID128

    package init(card: CardKey, rev: Int32, claim: UUID128) {
        self.card = card
        self.rev = rev
        self.claim = claim
    }
}

/// A slot of no card that was claimed, by its place in the list of requests, from 0.
package struct AsideClaim: Hashable, Sendable, RowDecodable {
    package let index: Int
    package let rev: Int32
    /// Larger than any before of this slot, in unix seconds.
    package let stamp: Int64
    package let body: [UInt8]

    package init(from row: inout PGRow) throws(PostgresError) {
        index = Int(try row.int4()) - 1
        rev = try row.int4()
        stamp = try row.int8()
        body = try row.bytea()
    }
}

extension Claims {
    /// Claims alerts and channels of one lane in one transaction, as `record` does for cards: see `006-channel.sql`.
    package static func aside(
        lane: Int32,
        term: Int64,
        now: Int64,
        until: Int64,
        _ requests: [AsideClaimRequest]
    ) -> Query<[AsideClaim]> {
        .list(
            asideStatement,
            [.int4(lane), .int8(term), .timestamptz(now), .timestamptz(until)]
                + requests.map(\.card).columns
                + [.int4Array(requests.map(\.rev)), .uuidArray(requests.map(\.claim))]
        )
    }

    private static let asideStatement = Statement(
        "claim_alerts",
        "SELECT i, rev, stamp, body FROM claim_alerts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
    )
}
