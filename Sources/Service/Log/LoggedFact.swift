package import PostgresStore
package import Tracking

/// A fact as it stands in the log, with what folding needs of it.
package struct LoggedFact: Sendable {
    package let lane: Int32
    package let pos: Int64
    package let version: Int32
    package let occurredAt: Int64?
    /// Database clock, microseconds.
    package let recordedAt: Int64
    package let app: Int32
    package let source: Int32
    package let kind: StreamKind
    package let stream: String
    package let type: String
    package let id: String
    package let flags: FactFlags
    package let body: [UInt8]
    package let actor: String?

    package var address: StreamAddress { StreamAddress(app: app, kind: kind, stream: stream) }

    package init(_ row: EventRow) {
        lane = row.lane
        pos = row.pos
        version = row.version
        occurredAt = row.occurredAt
        recordedAt = row.recordedAt
        app = row.app
        source = row.source
        kind = row.kind
        stream = row.stream
        type = row.type
        id = row.id
        flags = FactFlags(rawValue: row.flags)
        body = row.body ?? []
        actor = row.actor
    }

    /// A fact that was just committed, without reading it back.
    init(_ fact: NewFact, at position: LogPosition, recordedAt: Int64) {
        lane = position.lane
        pos = position.pos
        version = position.version
        occurredAt = fact.occurredAt
        self.recordedAt = recordedAt
        app = fact.address.app
        source = fact.source
        kind = fact.address.kind
        stream = fact.address.stream
        type = fact.type
        id = fact.id
        flags = fact.flags
        body = fact.body
        actor = fact.actor
    }
}
