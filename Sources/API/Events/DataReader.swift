internal import JSONText
internal import Tracking

/// Reads an event's `data`: keeps what the contract names, checked, drops and counts the rest.
struct DataReader {
    private(set) var fields: FieldReader
    private let type: EventType?
    private let zone: TimeZoneRules?
    private var kept = JSONObject()

    init(_ data: JSONObject, type: EventType?, zone: TimeZoneRules?) {
        fields = FieldReader(data, at: "/data")
        self.type = type
        self.zone = zone
    }

    /// The kept members, times in UTC. A null keeps its meaning, unknown, for ETAs; elsewhere it is as good as absent.
    mutating func read() -> JSONObject {
        keep("customer", fields.text("customer", bytes: IngestLimits.nameBytes).value)
        names("restaurant", ["id", "name", "timeZone"])
        names("courier", ["id", "name"])
        eta("eta")
        eta("pickupEta")
        references()
        keep("displayNumber", fields.text("displayNumber", bytes: IngestLimits.nameBytes).value)
        keep("scheduledFor", fields.time("scheduledFor", zone: zone).value.map(RFC3339.format))
        progress()
        keep("batch", fields.text("batch", bytes: IngestLimits.nameBytes).value)
        keep("reason", fields.text("reason", bytes: IngestLimits.reasonBytes).value)
        keep("by", fields.choice("by", Self.actors).value)
        switch type {
        case .known(.orderReopened): keep("phase", fields.choice("phase", Self.openPhases).value)
        case .known(.eventVoided): voids()
        case .known, .attemptExpired, .unknown, nil: break
        }
        return kept
    }

    private static let actors = ["customer", "restaurant", "courier", "platform", "staff"].map { ($0, $0) }

    /// An order is not reopened into an end.
    private static let openPhases = Phase.allCases.filter { !$0.isFinal }.map { ($0.name, $0.name) }

    private mutating func keep(_ name: String, _ text: String?) {
        kept[name] = text.map(JSON.string)
    }

    /// An object of short strings.
    private mutating func names(_ name: String, _ members: [String]) {
        guard let object = fields.object(name).value else { return }
        var reader = FieldReader(object, at: fields.pointer(to: name))
        var found = JSONObject()
        for member in members {
            found[member] = reader.text(member, bytes: IngestLimits.nameBytes).value.map(JSON.string)
        }
        fields.merge(reader)
        if !found.isEmpty { kept[name] = .object(found) }
    }

    /// Absent: nothing is said; null: unknown. Zero and empty text are refused, as nobody can tell what they mean.
    private mutating func eta(_ name: String) {
        switch fields.time(name, zone: zone) {
        case .absent: break
        case .unknown: kept[name] = .null
        case .known(let time): kept[name] = .string(RFC3339.format(time))
        }
    }

    private mutating func progress() {
        guard fields.number("progress", in: 0...1).value != nil else { return }
        kept["progress"] = fields.written("progress")
    }

    private mutating func references() {
        guard let object = fields.object("references").value else { return }
        if object.members.count > IngestLimits.references {
            fields.fault("references", .count, "Has more than \(IngestLimits.references) entries.")
        }
        var reader = FieldReader(object, at: fields.pointer(to: "references"))
        var found = JSONObject()
        for name in object.members.map(\.name).prefix(IngestLimits.references) {
            if !IngestLimits.nameBytes.contains(name.utf8.count) {
                reader.fault(name, .length, "Names must have 1 to 255 bytes.")
            }
            found[name] = reader.text(name, bytes: IngestLimits.nameBytes).value.map(JSON.string)
        }
        fields.merge(reader)
        if !found.isEmpty { kept["references"] = .object(found) }
    }

    private mutating func voids() {
        fields.require("voids")
        guard let object = fields.object("voids").value else { return }
        var reader = FieldReader(object, at: fields.pointer(to: "voids"))
        reader.require("source", "id")
        let source = reader.text("source", bytes: IngestLimits.nameBytes).value
        let id = reader.text("id", bytes: IngestLimits.nameBytes).value
        fields.merge(reader)
        if let source, let id { kept["voids"] = ["source": .string(source), "id": .string(id)] }
    }
}
