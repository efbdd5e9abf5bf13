internal import JSONText

/// One member of an event's `data`, and where it comes from.
struct DataMember: Sendable {
    enum Value: Sendable {
        case template(Template, TimeUnit)
        case literal(JSON)
    }

    /// What may be said of an order. There is no member for addresses, telephone numbers or what was ordered, so that no
    /// adapter can pass them on.
    enum Kind: Sendable {
        case text
        /// Null means unknown.
        case estimate
        case time
        /// From 0 to 1.
        case share
        case oneOf(Set<String>)

        init?(_ path: [String]) {
            switch path {
            case ["eta"], ["pickupEta"]: self = .estimate
            case ["scheduledFor"]: self = .time
            case ["progress"]: self = .share
            case ["by"]: self = .oneOf(Vocabulary.actors)
            case ["phase"]: self = .oneOf(Vocabulary.openPhases)
            case ["customer"], ["displayNumber"], ["batch"], ["reason"], ["courier", "id"], ["courier", "name"],
                ["restaurant", "id"], ["restaurant", "name"], ["restaurant", "timeZone"]:
                self = .text
            default:
                guard path.count == 2, path[0] == "references", EventLimits.text.contains(path[1].utf8.count) else {
                    return nil
                }
                self = .text
            }
        }
    }

    /// `courier.id` is `["courier", "id"]`.
    let path: [String]
    let kind: Kind
    let value: Value
    let conditions: [Condition]
    /// The words whose events carry the member; nil for all.
    let from: [String]?

    /// The value; nil when the member is left out. Texts that the API would refuse are left out too: an event must not
    /// be lost for a name.
    func value(at place: Place, word: String) -> JSON? {
        guard from?.contains(word) ?? true, conditions.hold(at: place) else { return nil }
        switch value {
        case .literal(let literal): return literal
        case .template(let template, let unit):
            guard let text = template.filled(at: place) else {
                return kind.isEstimate && template.isStated(at: place) ? .null : nil
            }
            return value(text, unit)
        }
    }

    private func value(_ text: String, _ unit: TimeUnit) -> JSON? {
        switch kind {
        case .text: return EventLimits.text.contains(text.utf8.count) ? .string(text) : nil
        case .oneOf(let words): return words.contains(text) ? .string(text) : nil
        case .share: return DataMember.share(.number(text))
        case .estimate, .time:
            switch unit.read(text) {
            case .time(let time): return .string(time)
            case .unknown, .unreadable: return kind.isEstimate ? .null : nil
            }
        }
    }

    /// A number from 0 to 1 in JSON's spelling; nil for anything else.
    static func share(_ number: JSON) -> JSON? {
        guard case .number(let text) = number, let parsed = try? JSON.parse(Array(text.utf8)),
            let share = parsed.doubleValue, (0...1).contains(share)
        else { return nil }
        return parsed
    }
}

extension DataMember.Kind {
    var isEstimate: Bool {
        switch self {
        case .estimate: true
        case .text, .time, .share, .oneOf: false
        }
    }

    var isTime: Bool {
        switch self {
        case .estimate, .time: true
        case .text, .share, .oneOf: false
        }
    }
}
