internal import JSONText

extension AdapterParser {
    static let ruleMembers = [
        "each", "when", "id", "subject", "time", "type", "types", "otherwise", "voids", "data",
    ]

    /// The rules under `events`, each with the adapter's own members where it has none; without `events` the adapter is
    /// its only rule.
    mutating func rules(_ adapter: JSONObject) -> [EventRule] {
        guard let events = adapter["events"] else {
            return [rule(RuleFields(own: adapter, at: "", shared: JSONObject()))].compactMap { $0 }
        }
        guard let listed = events.arrayValue, !listed.isEmpty else {
            complain("/events", "must be a list of rules")
            return []
        }
        var rules: [EventRule] = []
        for (index, json) in listed.enumerated() {
            let pointer = "/events/\(index)"
            guard let own = object(json, at: pointer, only: Self.ruleMembers) else { continue }
            if let rule = rule(RuleFields(own: own, at: pointer, shared: adapter)) { rules.append(rule) }
        }
        return rules
    }

    private mutating func rule(_ fields: RuleFields) -> EventRule? {
        let each = fields["each"].value.flatMap { list($0, at: fields["each"].pointer) }
        depth = each.map { path in path.steps.count { $0 == .each } } ?? 0
        let conditions = conditions(fields["when"].value, at: fields["when"].pointer)
        let id = idTemplate(fields["id"].value, at: fields["id"].pointer)
        let subject = template(fields["subject"].value, at: fields["subject"].pointer)
        let time = fields["time"].value.flatMap { self.time($0, at: fields["time"].pointer) }
        let word = template(fields["type"].value, at: fields["type"].pointer)
        let types = types(fields["types"].value, at: fields["types"].pointer)
        let otherwise = choice(
            fields["otherwise"].value,
            at: fields["otherwise"].pointer,
            standard: EventRule.Otherwise.keep
        )
        let voids = voids(fields["voids"].value, of: types, at: fields["voids"].pointer)
        let data = data(fields["data"].value, words: types, at: fields["data"].pointer)
        guard let id, let subject, let word else { return nil }
        return EventRule(
            each: each,
            conditions: conditions,
            id: id,
            subject: subject,
            time: time,
            word: word,
            types: types,
            otherwise: otherwise,
            voids: voids,
            data: data
        )
    }

    private mutating func list(_ json: JSON, at pointer: String) -> BodyPath? {
        guard let text = text(json, at: pointer) else { return nil }
        guard let path = BodyPath(text), path.level == 0, path.steps.last == .each else {
            complain(pointer, "must be a path to a list, as in `order.status_log[*]`")
            return nil
        }
        return path
    }

    private mutating func idTemplate(_ json: JSON?, at pointer: String) -> Template? {
        guard let template = template(json, at: pointer) else { return nil }
        if template.paths.isEmpty { complain(pointer, "must hold something of the body") }
        if !template.separatesValues { complain(pointer, "needs a / between two values, or two events could be one") }
        return template
    }

    private mutating func time(_ json: JSON, at pointer: String) -> (template: Template, unit: TimeUnit)? {
        if json.stringValue != nil { return template(json, at: pointer).map { ($0, .rfc3339) } }
        guard let object = object(json, at: pointer, only: ["value", "unit"]) else { return nil }
        let unit = choice(object["unit"], at: pointer + "/unit", standard: TimeUnit.rfc3339)
        return template(object["value"], at: pointer + "/value").map { ($0, unit) }
    }

    private mutating func types(_ json: JSON?, at pointer: String) -> [String: [EventRule.Choice]] {
        guard let json else { return [:] }
        guard let words = json.objectValue?.members, !words.isEmpty else {
            complain(pointer, "must map the platform's words to types")
            return [:]
        }
        var types: [String: [EventRule.Choice]] = [:]
        for word in words {
            let place = pointer + Adapters.pointer(word.name)
            if let listed = word.value.arrayValue {
                types[word.name] = listed.enumerated().compactMap { choice($1, at: "\(place)/\($0)") }
            } else {
                types[word.name] = [choice(word.value, at: place)].compactMap { $0 }
            }
        }
        return types
    }

    private mutating func choice(_ json: JSON, at pointer: String) -> EventRule.Choice? {
        if json.objectValue == nil { return type(json, at: pointer).map { .init(conditions: [], type: $0) } }
        guard let object = object(json, at: pointer, only: ["when", "type"]) else { return nil }
        let conditions = conditions(object["when"], at: pointer + "/when")
        return type(object["type"], at: pointer + "/type").map { .init(conditions: conditions, type: $0) }
    }

    private mutating func type(_ json: JSON?, at pointer: String) -> String? {
        guard let type = text(json, at: pointer) else { return nil }
        if !Vocabulary.types.contains(type) { complain(pointer, "`\(type)` is none of Doorstep's types") }
        return type
    }

    private mutating func voids(
        _ json: JSON?,
        of types: [String: [EventRule.Choice]],
        at pointer: String
    ) -> [String: Template] {
        let voiding = types.filter { $0.value.contains { $0.type == Vocabulary.voided } }.keys
        guard let object = object(json ?? [:], at: pointer, only: voiding.sorted()) else { return [:] }
        for word in voiding.sorted() where object[word] == nil {
            complain(pointer + Adapters.pointer(word), "missing: which event does it retract?")
        }
        var voids: [String: Template] = [:]
        for member in object.members {
            voids[member.name] = idTemplate(member.value, at: pointer + Adapters.pointer(member.name))
        }
        return voids
    }
}

/// The members of a rule, its own before those that all rules share.
private struct RuleFields {
    private let own: JSONObject
    private let pointer: String
    private let shared: JSONObject

    init(own: JSONObject, at pointer: String, shared: JSONObject) {
        self.own = own
        self.pointer = pointer
        self.shared = shared
    }

    subscript(name: String) -> (value: JSON?, pointer: String) {
        if let value = own[name] { return (value, "\(pointer)/\(name)") }
        if let value = shared[name] { return (value, "/\(name)") }
        return (nil, "\(pointer)/\(name)")
    }
}
