internal import JSONText

/// Makes the events of one webhook, and gathers what is wrong with it.
struct EventBuilder {
    let adapter: String
    let source: String
    private(set) var events: [JSONObject] = []
    private(set) var problems: [AdapterError.Problem] = []

    init(adapter: String, source: String) {
        self.adapter = adapter
        self.source = source
        if !EventLimits.text.contains(source.utf8.count) {
            problems.append(.init(pointer: "", detail: "`source` must have 1 to 255 bytes"))
        }
    }

    mutating func apply(_ rule: EventRule, at place: Place) {
        guard rule.conditions.hold(at: place) else { return }
        guard let word = text(rule.word, "type", at: place) else { return }
        switch rule.meaning(of: word, at: place, adapter: adapter) {
        case .skipped: return
        case .refused:
            let pointer = rule.word.paths.first.map { place.pointer(to: $0) } ?? ""
            problems.append(.init(pointer: pointer, detail: "`types` of the adapter does not list this word"))
        case .type(let type): add(rule, type, word, at: place)
        }
    }

    private mutating func add(_ rule: EventRule, _ type: String, _ word: String, at place: Place) {
        let id = text(rule.id, "id", escaping: true, at: place)
        let subject = text(rule.subject, "subject", at: place)
        let time = time(rule, at: place)
        var data = JSONObject()
        for member in rule.data {
            guard let value = member.value(at: place, word: word) else { continue }
            data.set(value, at: member.path[...])
        }
        if type == Vocabulary.voided, let template = rule.voids[word] {
            guard let voided = text(template, "voids", escaping: true, at: place) else { return }
            data["voids"] = ["source": .string(source), "id": .string(voided)]
        }
        if !EventLimits.text.contains(type.utf8.count) {
            problems.append(.init(pointer: "", detail: "`type` must have 1 to 255 bytes"))
        }
        guard let id, let subject, let time else { return }
        var event: JSONObject = ["specversion": "1.0", "id": .string(id), "source": .string(source)]
        event["type"] = .string(type)
        event["subject"] = .string(subject)
        event["time"] = time.map(JSON.string)
        event["sourcetype"] = .string(word)
        if !data.isEmpty { event["data"] = .object(data) }
        events.append(event)
    }

    private mutating func text(
        _ template: Template,
        _ name: String,
        escaping: Bool = false,
        at place: Place
    ) -> String? {
        guard let text = template.filled(at: place, escaping: escaping) else {
            problems.append(.init(pointer: template.missing(at: place), detail: "missing, and `\(name)` needs it"))
            return nil
        }
        guard EventLimits.text.contains(text.utf8.count) else {
            let pointer = template.paths.first.map { place.pointer(to: $0) } ?? ""
            problems.append(.init(pointer: pointer, detail: "`\(name)` comes out longer than 255 bytes"))
            return nil
        }
        return text
    }

    /// `.some(nil)` where the body states none: the time of receipt counts then.
    private mutating func time(_ rule: EventRule, at place: Place) -> String?? {
        guard let (template, unit) = rule.time, let text = template.filled(at: place) else { return .some(nil) }
        switch unit.read(text) {
        case .time(let time): return time
        case .unknown: return .some(nil)
        case .unreadable:
            let pointer = template.paths.first.map { place.pointer(to: $0) } ?? ""
            problems.append(.init(pointer: pointer, detail: "no time in \(unit.rawValue)"))
            return nil
        }
    }
}
