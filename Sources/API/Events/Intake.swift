internal import JSONText
internal import Tracking

/// Reads the events of one request and says what became of each; looks each source up once.
struct Intake {
    let ports: Ports
    let events: EventCounters
    let caller: Caller
    let receivedAt: Int64
    var traceParent: String?
    private var sources: [String: SourceSettings] = [:]
    /// Sources of Doorstep's own facts: nobody else may speak for them.
    private static let ownSources = "doorstep/"

    init(ports: Ports, events: EventCounters, caller: Caller, receivedAt: Int64) {
        self.ports = ports
        self.events = events
        self.caller = caller
        self.receivedAt = receivedAt
    }

    /// A checked event, or why it is none; `raw` are the bytes it came in.
    mutating func read(_ json: JSON, raw: [UInt8]) async throws(Problem) -> IngestEvent {
        guard raw.count <= IngestLimits.eventBytes else {
            events.count(.rejected, source: nil)
            throw Problem(
                .tooLarge,
                "At most \(IngestLimits.eventBytes) bytes for one event.",
                extra: .limit(IngestLimits.eventBytes)
            )
        }
        guard let object = json.objectValue else {
            events.count(.rejected, source: nil)
            throw Problem(.invalidEvent, faults: [Fault("", .type, "Must be an object.")])
        }
        var reader = EventReader(object)
        do throws(Problem) {
            let settings = try await settings(of: reader.source)
            let (event, dropped) = try reader.event(
                app: caller.app,
                settings: settings,
                receivedAt: receivedAt,
                raw: raw,
                traceParent: traceParent
            )
            if dropped > 0 { events.countDropped(dropped, source: event.source) }
            return event
        } catch {
            events.count(error.kind.isUnavailability ? .unavailable : .rejected, source: reader.source)
            throw error
        }
    }

    /// Status and body of an answer, or the problem.
    func judge(_ outcome: IngestOutcome, of event: IngestEvent) throws(Problem) -> (status: Int, body: JSONObject) {
        events.count(outcome.counted, source: event.source)
        switch outcome {
        case .accepted(let receipt): return (202, receipt.json(of: event, isDuplicate: false))
        case .duplicate(let receipt): return (200, receipt.json(of: event, isDuplicate: true))
        case .idReused:
            throw Problem(.eventIDReused, "The first content under this id stands; this one is in quarantine.")
        case .revisionConflict(let revision): throw Problem(.revisionConflict, extra: .revision(revision))
        case .unavailable(let unavailable): throw Problem(unavailable)
        }
    }

    /// What a source that is missing or malformed would have: its other faults are still worth finding.
    private mutating func settings(of source: String?) async throws(Problem) -> SourceSettings {
        guard let source, !source.hasNul else { return SourceSettings() }
        if let known = sources[source] { return known }
        let isReserved = source.hasPrefix(Self.ownSources)
        let isAllowed = !isReserved && caller.key.sources?.contains(source) ?? true
        let app = caller.app
        let access = ports.access
        let found = try await asking { () async throws(Unavailable) in
            isAllowed ? try await access.source(named: source, app: app) : nil
        }
        guard let found else { throw Problem(.forbidden, "The key may not post for this source.") }
        sources[source] = found
        return found
    }
}

extension Receipt {
    fileprivate func json(of event: IngestEvent, isDuplicate: Bool) -> JSONObject {
        [
            "app": .string(event.app), "source": .string(event.source), "id": .string(event.id),
            "subject": .string(event.subject), "lane": .integer(lane), "pos": .integer(pos),
            "version": .integer(version), "duplicate": .bool(isDuplicate),
        ]
    }
}

extension IngestOutcome {
    fileprivate var counted: EventCounters.Result {
        switch self {
        case .accepted: .accepted
        case .duplicate: .duplicate
        case .idReused: .reused
        case .revisionConflict: .conflict
        case .unavailable: .unavailable
        }
    }
}

extension Problem.Kind {
    /// Nothing is wrong with the request; it may be repeated.
    var isUnavailability: Bool {
        switch self {
        case .rateLimited, .overloaded, .databaseUnavailable: true
        case .invalidJSON, .invalidEvent, .invalidRequest, .timeTooFarAhead, .eventIDReused, .tooLarge,
            .unsupportedMediaType, .unauthenticated, .forbidden, .notFound, .methodNotAllowed, .revisionConflict,
            .anotherDevice, .registrationDead, .cursorLost, .malformedRequest, .headersTooLarge, .requestTimeout,
            .notImplemented,
            .versionNotSupported:
            false
        }
    }
}
