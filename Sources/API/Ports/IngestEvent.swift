package import Adapters
package import Tracking

/// One checked event, ready to be appended. Everything in it passed the rules of the ingest contract.
package struct IngestEvent: Hashable, Sendable {
    package var app: String
    /// Unique together with `source` and `subject`; 1...255 bytes, as are `source`, `type` and `subject`.
    package var id: String
    package var source: String
    package var type: EventType
    /// The order's id.
    package var subject: String
    /// As sent, in UTC microseconds; nil when the event carried none (flag `timeAssumed`).
    package var occurredAt: Int64?
    package var receivedAt: Int64
    /// `timeAssumed` and `clockAhead`; `idShared` is found by the appender.
    package var flags: FactFlags
    /// SHA-256 over type, subject, time and `data` as received: equal for equal content, whatever the mode.
    package var fingerprint: [UInt8]
    /// Canonical JSON of what the log keeps: `{"causationid":"…","data":{…},"sourcetype":"…"}`, members absent when empty.
    /// Members of `data` as in the contract; times are in UTC with `Z`.
    package var body: [UInt8]
    /// The event as received; only for sources that keep it.
    package var raw: [UInt8]?
    /// Optimistic concurrency: append only when the order's revision is this.
    package var expectedRevision: Int?
    /// W3C trace context of the request or the event.
    package var traceParent: String?

    /// When the event takes its place in the fold: never later than it was received.
    package var foldTime: Int64 { min(occurredAt ?? receivedAt, receivedAt) }
}

/// What became of one event.
package enum IngestOutcome: Hashable, Sendable {
    /// 202: committed by this call.
    case accepted(Receipt)
    /// 200: the same event was committed before; the receipt is the first one's.
    case duplicate(Receipt)
    /// 409: this source used this id for this order with other content. Kept in quarantine.
    case idReused
    /// 409: the order's revision is another than the one expected.
    case revisionConflict(revision: Int)
    /// Not committed, or not known to be.
    case unavailable(Unavailable)
}

/// Where an event lies in the log.
package struct Receipt: Hashable, Sendable {
    package var lane: Int
    package var pos: Int64
    /// Position within the order's own stream.
    package var version: Int

    package init(lane: Int, pos: Int64, version: Int) {
        self.lane = lane
        self.pos = pos
        self.version = version
    }
}

/// What is configured for an event source.
package struct SourceSettings: Sendable {
    /// The zone in which the source writes times without an offset; read once, when the configuration is.
    package var timeZone: TimeZoneRules?
    /// Whether the received bytes are kept too.
    package var keepRaw: Bool
    /// With which it may sign instead of bearing a key; several while they are rotated.
    package var secrets: [WebhookSecret]

    /// Of a platform whose webhooks it takes as they are, with the platform's own secrets and, where the platform signs it,
    /// the address that it calls.
    package var adapter: Adapter?
    package var platformSecrets: [String] = []
    package var address: String?

    package init(timeZone: TimeZoneRules? = nil, keepRaw: Bool = false, secrets: [WebhookSecret] = []) {
        self.timeZone = timeZone
        self.keepRaw = keepRaw
        self.secrets = secrets
    }
}
