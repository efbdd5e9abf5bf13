package import Tracking

/// A fact as it stands in the log.
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

    package init(
        lane: Int32,
        pos: Int64,
        version: Int32,
        occurredAt: Int64?,
        recordedAt: Int64,
        app: Int32,
        source: Int32,
        kind: StreamKind,
        stream: String,
        type: String,
        id: String,
        flags: FactFlags,
        body: [UInt8]
    ) {
        self.lane = lane
        self.pos = pos
        self.version = version
        self.occurredAt = occurredAt
        self.recordedAt = recordedAt
        self.app = app
        self.source = source
        self.kind = kind
        self.stream = stream
        self.type = type
        self.id = id
        self.flags = flags
        self.body = body
    }

    init(_ fact: NewFact, lane: Int32, pos: Int64, version: Int32, recordedAt: Int64) {
        self.init(
            lane: lane,
            pos: pos,
            version: version,
            occurredAt: fact.occurredAt,
            recordedAt: recordedAt,
            app: fact.address.app,
            source: fact.source,
            kind: fact.address.kind,
            stream: fact.address.stream,
            type: fact.type,
            id: fact.id,
            flags: fact.flags,
            body: fact.body
        )
    }
}
