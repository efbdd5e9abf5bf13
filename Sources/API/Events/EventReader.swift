internal import Crypto
internal import JSONText
internal import Tracking

/// Checks one CloudEvent (version 1.0, JSON format) against the ingest contract and makes an `IngestEvent` of it.
///
/// In two steps, since what a time without offset means depends on the source: `init` finds the source, `event` reads
/// the rest. Every fault is reported, not only the first.
struct EventReader {
    private let object: JSONObject
    private var fields: FieldReader
    let id: String?
    let source: String?

    init(_ object: JSONObject) {
        self.object = object
        fields = FieldReader(object)
        fields.require("specversion", "id", "source", "type", "subject")
        id = fields.text("id", bytes: IngestLimits.nameBytes).value
        source = fields.text("source", bytes: IngestLimits.nameBytes).value
    }

    /// The event, or all that is wrong with it; `raw` are the bytes it came in.
    mutating func event(
        app: String,
        settings: SourceSettings,
        receivedAt: Int64,
        raw: [UInt8],
        traceParent: String?
    ) throws(Problem) -> (event: IngestEvent, dropped: Int) {
        if let version = fields.text("specversion").value, version != "1.0" {
            fields.fault("specversion", .choice, "Must be 1.0.")
        }
        let type = fields.text("type", bytes: IngestLimits.nameBytes).value.map { EventType($0) }
        let subject = fields.text("subject", bytes: IngestLimits.nameBytes).value
        let time = fields.time("time", zone: settings.timeZone).value
        let attributes = extensionAttributes()
        let payload = data(type: type, zone: settings.timeZone)
        findNul()

        guard fields.faults.isEmpty, let id, let source, let type, let subject else {
            throw Problem(.invalidEvent, faults: fields.faults)
        }
        let ahead = time.map { $0 - receivedAt } ?? 0
        guard ahead <= IngestLimits.aheadRefused else {
            throw Problem(
                .timeTooFarAhead,
                faults: [Fault("/time", .range, "Must be at most 24 hours ahead of the time of receipt.")]
            )
        }
        var flags: FactFlags = []
        if time == nil { flags.insert(.timeAssumed) }
        if ahead > IngestLimits.aheadFlagged { flags.insert(.clockAhead) }
        let event = IngestEvent(
            app: app,
            id: id,
            source: source,
            type: type,
            subject: subject,
            occurredAt: time,
            receivedAt: receivedAt,
            flags: flags,
            fingerprint: Self.fingerprint(type: type, subject: subject, time: time, data: object["data"]),
            body: Self.body(data: payload, attributes),
            raw: settings.keepRaw ? raw : nil,
            expectedRevision: attributes.expectedRevision,
            traceParent: TraceParent(attributes.traceParent)?.text ?? traceParent
        )
        return (event, fields.dropped)
    }
}

extension EventReader {
    private struct Extensions {
        var sourceType: String?
        /// The customer's request that the event answers.
        var causationID: String?
        var expectedRevision: Int?
        var traceParent: String?
    }

    /// Context attributes of the specification; all other members are extensions.
    private static let attributes: Set<String> = [
        "specversion", "id", "source", "type", "subject", "time", "data", "datacontenttype", "dataschema",
    ]

    private mutating func extensionAttributes() -> Extensions {
        let extensions = object.members.count { !Self.attributes.contains($0.name) }
        if extensions > IngestLimits.extensions {
            fields.note(at: "", .count, "Has more than \(IngestLimits.extensions) extension attributes.")
        }
        if let type = fields.text("datacontenttype").value, MediaType(type)?.isJSON != true {
            fields.fault("datacontenttype", .unsupported, "Only JSON is taken as data.")
        }
        _ = fields.text("dataschema", bytes: 1...2_048)
        var found = Extensions()
        found.sourceType = fields.text("sourcetype", bytes: IngestLimits.nameBytes).value
        found.causationID = fields.text("causationid", bytes: IngestLimits.nameBytes).value
        found.traceParent = fields.text("traceparent", bytes: 0...IngestLimits.eventBytes).value
        found.expectedRevision = expectedRevision()
        return found
    }

    /// An integer, or its digits: binary mode has nothing but text.
    private mutating func expectedRevision() -> Int? {
        guard case .known(let value) = fields.any("expectedrevision") else { return nil }
        guard let revision = value.int64Value ?? value.stringValue.flatMap({ Int64($0) }), revision >= 0,
            revision <= Int64(Int32.max)
        else {
            fields.fault("expectedrevision", .range, "Must be an integer from 0 on.")
            return nil
        }
        return Int(revision)
    }

    private mutating func data(type: EventType?, zone: TimeZoneRules?) -> JSONObject {
        if object["data_base64"] != nil {
            fields.fault("data_base64", .unsupported, "Only JSON is taken as data.")
        }
        guard let data = fields.object("data").value else { return [:] }
        var reader = DataReader(data, type: type, zone: zone)
        let kept = reader.read()
        fields.merge(reader.fields)
        return kept
    }

    private mutating func findNul() {
        guard let pointer = JSON.object(object).pointerToNul() else { return }
        fields.note(at: pointer, .nul, "Contains U+0000.")
    }

    /// Equal for the same event in all three modes: attributes other than these are left out.
    static func fingerprint(type: EventType, subject: String, time: Int64?, data: JSON?) -> [UInt8] {
        let content: JSON = [
            "type": .string(type.word), "subject": .string(subject),
            "time": time.map { JSON.integer($0) } ?? .null, "data": data ?? .null,
        ]
        return SHA256.digest(content.canonical())
    }

    private static func body(data: JSONObject, _ attributes: Extensions) -> [UInt8] {
        var body = JSONObject()
        if !data.isEmpty { body["data"] = .object(data) }
        body["sourcetype"] = attributes.sourceType.map(JSON.string)
        body["causationid"] = attributes.causationID.map(JSON.string)
        return JSON.object(body).canonical()
    }
}
