package import Crypto
internal import PostgresStore
package import Tracking

/// A fact on its way into the log.
package struct NewFact: Sendable {
    package let address: StreamAddress
    /// Number of its source.
    package let source: Int32
    /// Unique per source and stream; a repeat with the same print is a duplicate.
    package let id: String
    package let type: String
    package let occurredAt: Int64?
    package let flags: FactFlags
    package let body: [UInt8]
    package let raw: [UInt8]?
    package let trace: [UInt8]?
    package let actor: String?
    /// The stream version the caller insists on; nil: any.
    package let expectedVersion: Int32?
    /// First 128 bits of SHA-256 over (app, source, kind, stream, id).
    package let key: UUID128
    /// Equal for equal content.
    package let print: UUID128

    package init(
        _ address: StreamAddress,
        source: Int32,
        id: String,
        type: String,
        body: [UInt8],
        print: UUID128? = nil,
        occurredAt: Int64? = nil,
        flags: FactFlags = [],
        raw: [UInt8]? = nil,
        trace: [UInt8]? = nil,
        actor: String? = nil,
        expectedVersion: Int32? = nil
    ) {
        self.address = address
        self.source = source
        self.id = id
        self.type = type
        self.occurredAt = occurredAt
        self.flags = flags
        self.body = body
        self.raw = raw
        self.trace = trace
        self.actor = actor
        self.expectedVersion = expectedVersion
        key = Self.key(address, source: source, id: id)
        self.print = print ?? UUID128(sha256Prefix: body)
    }

    /// The identity of a fact: its source's number, its stream and its id.
    package static func key(_ address: StreamAddress, source: Int32, id: String) -> UUID128 {
        var message = address.key.bytes
        message.append(contentsOf: withUnsafeBytes(of: source.bigEndian, Array.init))
        message.append(contentsOf: id.utf8)
        return UUID128(sha256Prefix: message)
    }
}

extension NewFact {
    var item: EventItem {
        EventItem(
            key: key,
            print: print,
            expectedVersion: expectedVersion,
            flags: flags.rawValue,
            streamKey: address.key,
            app: address.app,
            source: source,
            kind: address.kind,
            stream: address.stream,
            type: type,
            id: id,
            occurredAt: occurredAt,
            keyID: 0,
            body: body,
            raw: raw,
            trace: trace,
            actor: actor
        )
    }
}

/// What became of a fact. A conflict is an outcome, not an error.
package enum AppendOutcome: Hashable, Sendable {
    case appended(LogPosition)
    /// The same fact stands there already.
    case duplicate(LogPosition)
    /// Same id, other content: kept in quarantine, never folded.
    case reused(LogPosition)
    /// The stream stands at another version than the caller insists on.
    case conflict(version: Int)
    /// Not committed, or not known to be: the caller repeats it under the same id.
    case failed(AppendFailure)

    var isFailed: Bool {
        if case .failed = self { true } else { false }
    }
}

package enum AppendFailure: String, Hashable, Sendable {
    /// More is waiting than the limit allows.
    case overloaded
    /// The lane is held by somebody else for longer than the lock timeout.
    case busy
    case databaseUnavailable
    /// The database refuses this very fact.
    case unstorable
}

extension AppendOutcome {
    init(_ result: AppendResult, lane: Int32) {
        let position = LogPosition(lane: lane, pos: result.pos ?? 0, version: result.version)
        switch result.outcome {
        case .new: self = .appended(position)
        case .duplicate: self = .duplicate(position)
        case .reused: self = .reused(position)
        case .conflict: self = .conflict(version: Int(result.version))
        }
    }
}

/// Where a fact stands: dense positions per lane, dense versions per stream.
package struct LogPosition: Hashable, Sendable {
    package let lane: Int32
    package let pos: Int64
    package let version: Int32

    package init(lane: Int32, pos: Int64, version: Int32) {
        self.lane = lane
        self.pos = pos
        self.version = version
    }
}
