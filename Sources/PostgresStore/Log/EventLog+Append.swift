package import Crypto
package import Postgres
package import Tracking

/// The log of facts: dense positions per lane, dense versions per stream, never updated.
package enum EventLog {}

/// A fact to be appended. Times are microseconds since 1970 (UTC).
package struct EventItem: Hashable, Sendable {
    /// First 128 bits of SHA-256 over app, source, kind, stream and id.
    package var key: UUID128
    /// The same over the content: another one under the same key is refused.
    package var print: UUID128
    /// The stream version the caller insists on; nil: any.
    package var expectedVersion: Int32?
    package var flags: Int32
    /// First 128 bits of SHA-256 over app, kind and stream.
    package var streamKey: UUID128
    package var app: Int32
    package var source: Int32
    package var kind: StreamKind
    package var stream: String
    package var type: String
    package var id: String
    package var occurredAt: Int64?
    /// 0: the body is not encrypted.
    package var keyID: Int32
    package var body: [UInt8]?
    package var raw: [UInt8]?
    package var trace: [UInt8]?
    package var actor: String?

    package init(
        key: UUID128,
        print: UUID128,
        expectedVersion: Int32? = nil,
        flags: Int32,
        streamKey: UUID128,
        app: Int32,
        source: Int32,
        kind: StreamKind,
        stream: String,
        type: String,
        id: String,
        occurredAt: Int64? = nil,
        keyID: Int32,
        body: [UInt8]? = nil,
        raw: [UInt8]? = nil,
        trace: [UInt8]? = nil,
        actor: String? = nil
    ) {
        self.key = key
        self.print = print
        self.expectedVersion = expectedVersion
        self.flags = flags
        self.streamKey = streamKey
        self.app = app
        self.source = source
        self.kind = kind
        self.stream = stream
        self.type = type
        self.id = id
        self.occurredAt = occurredAt
        self.keyID = keyID
        self.body = body
        self.raw = raw
        self.trace = trace
        self.actor = actor
    }
}

/// What became of one item of an append.
package struct AppendResult: Hashable, Sendable, RowDecodable {
    package enum Outcome: UInt8, Sendable {
        /// Appended at `pos`.
        case new = 0x6E
        /// The same fact stands at `pos` already.
        case duplicate = 0x64
        /// Another content under this key stands at `pos`; this one went into quarantine.
        case reused = 0x72
        /// The stream stands at `version`, not at the expected one.
        case conflict = 0x76
    }

    /// Place in the list that was given, from 0.
    package let index: Int
    package let outcome: Outcome
    /// Nil for a conflict.
    package let pos: Int64?
    package let version: Int32

    package init(from row: inout PGRow) throws(PostgresError) {
        index = Int(try row.int4()) - 1
        guard let outcome = Outcome(rawValue: try row.char()) else {
            throw PostgresError(.badValue, "append", message: "an outcome without a meaning")
        }
        self.outcome = outcome
        pos = try row.int8OrNull()
        version = try row.int4()
    }
}

extension EventLog {
    /// Appends to one lane, in the order given; several lanes in one transaction only in ascending order.
    ///
    /// The remedy `callAgain` (23505: somebody took the position) means that nothing was kept: call again, at most five
    /// times. `hint`: a position of this lane the caller has seen, or 0; `day`: the receipt day since 1970 (UTC); `now`:
    /// the database clock.
    package static func append(
        lane: Int32,
        hint: Int64,
        day: Int32,
        now: Int64,
        _ items: [EventItem]
    ) -> Query<[AppendResult]> {
        .list(
            appendStatement,
            [
                .int4(lane), .int8(hint), .int4(day), .timestamptz(now), .uuidArray(items.map(\.key)),
                .uuidArray(items.map(\.print)), .int4Array(items.map(\.expectedVersion)),
                .int4Array(items.map(\.flags)),
                .uuidArray(items.map(\.streamKey)), .int4Array(items.map(\.app)), .int4Array(items.map(\.source)),
                .charArray(items.map(\.kind.rawValue)), .textArray(items.map(\.stream)), .textArray(items.map(\.type)),
                .textArray(items.map(\.id)), .timestamptzArray(items.map(\.occurredAt)), .int4Array(items.map(\.keyID)),
                .byteaArray(items.map(\.body)), .byteaArray(items.map(\.raw)), .byteaArray(items.map(\.trace)),
                .textArray(items.map(\.actor)),
            ]
        )
    }

    private static let appendStatement = Statement(
        "append",
        """
        SELECT i, outcome, at_pos, at_version
        FROM append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
        ORDER BY i
        """
    )
}
