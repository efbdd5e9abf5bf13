internal import JSONText
private import Runtime

/// Faults as `POST|GET /faults` writes them.
extension Fault {
    /// Everything but the id; `now` in microseconds of the machine's clock.
    static func reading(_ json: JSON, at now: Int64) throws(ControlProblem) -> (_ id: Int) -> Fault {
        var form = try Form(json)
        let effect = try Effect(&form)
        let match = try form.form("match").map(Match.init) ?? Match()
        let seconds = try form.take("seconds", .seconds(0.001...Rule.longestSeconds))
        let skip = try form.take("skip", .whole()) ?? 0
        let times = try form.take("times", .whole(1...Int(Int32.max))) ?? (seconds == nil ? 1 : nil)
        let probability = try form.take("probability", .share) ?? 1
        let seed = try form.take("seed", .whole())
        try form.end()
        return { id in
            Fault(
                id: id,
                effect: effect,
                match: match,
                skip: skip,
                times: times,
                until: seconds.map { now + $0 },
                probability: probability,
                chances: seed.map { SplitMix64(seed: UInt64($0)) }
            )
        }
    }

    var json: JSON {
        var object: JSONObject = ["id": .integer(id), "effect": .string(effect.word)]
        switch effect {
        case .answer(let refusal):
            object["status"] = .integer(refusal.status)
            object["reason"] = .string(refusal.reason)
            object["timestampMilliseconds"] = refusal.timestampMilliseconds.map { .integer($0) }
        case .delay(let milliseconds): object["milliseconds"] = .integer(milliseconds)
        case .reset(let code): object["code"] = .string(code.rawValue)
        case .meanwhile(let action): for member in action.members { object[member.name] = member.value }
        case .lose, .stall, .drop, .acceptAndDrop, .freeze: break
        }
        object["match"] = match.json
        object["skip"] = .integer(skip)
        object["times"] = times.map { .integer($0) } ?? .null
        object["until"] = .optional(until.map(RFC3339.format))
        object["probability"] = .double(probability)
        object["applied"] = .integer(applied)
        return .object(object)
    }
}

extension Fault.Match {
    fileprivate init(_ form: Form) throws(ControlProblem) {
        var form = form
        token = try form.take("token", .token)
        phone = try form.take("phone", .name)
        order = try form.take("order", .name)
        channel = try form.take("channel", .name)
        topic = try form.take("topic", .name)
        event = try form.take("event", .word)
        tokenKind = try form.take("tokenKind", .word)
        environment = try form.take("environment", .word)
        connection = try form.take("connection", .whole(1...Int.max)).map { UInt64($0) }
        priority = try form.take("priority", .priority)
        try form.end()
    }

    fileprivate var json: JSON {
        let texts = [
            ("token", token), ("phone", phone), ("order", order), ("channel", channel), ("topic", topic),
            ("event", event?.rawValue), ("tokenKind", tokenKind?.rawValue), ("environment", environment?.rawValue),
        ]
        var object: JSONObject = [:]
        for (name, text) in texts { object[name] = text.map { .string($0) } }
        object["connection"] = connection.map { .integer($0) }
        object["priority"] = priority.map { .integer($0) }
        return .object(object)
    }
}

extension Fault.Effect {
    /// The words that are not those of an action on the connection; `drop` and `freeze` are about the request here.
    private static let words = ["answer", "lose", "stall", "delay", "reset", "drop", "acceptAndDrop", "freeze"]

    fileprivate init(_ form: inout Form) throws(ControlProblem) {
        let all = Self.words + ConnectionAction.words.filter { !Self.words.contains($0) }
        let rule = Rule("one of \(all.joined(separator: ", "))") { json in
            json.stringValue.flatMap { all.contains($0) ? $0 : nil }
        }
        let word = try form.need("effect", rule)
        switch word {
        case "answer": self = .answer(try Refusal(&form))
        case "lose": self = .lose
        case "stall": self = .stall
        case "delay": self = .delay(milliseconds: try form.need("milliseconds", .milliseconds))
        case "reset": self = .reset(try form.take("code", .word) ?? .refusedStream)
        case "drop": self = .drop
        case "acceptAndDrop": self = .acceptAndDrop
        case "freeze": self = .freeze
        case _:
            guard let action = try ConnectionAction(word, &form) else {
                throw form.problem("effect", "must be \(rule.text)")
            }
            self = .meanwhile(action)
        }
    }
}

extension Refusal {
    /// A reason of Apple's brings its status along; any other needs one.
    fileprivate init(_ form: inout Form) throws(ControlProblem) {
        let word = try form.need("reason", .name)
        let given = try form.take("status", .whole(400...599))
        let timestamp = try form.take("timestampMilliseconds", .instant)
        let statuses = Reason(rawValue: word)?.statuses
        guard let status = given ?? statuses?.first else {
            throw form.problem("status", "is needed: \(word) is no reason of Apple's")
        }
        if let statuses, !statuses.contains(status) {
            let allowed = statuses.map(String.init).joined(separator: " or ")
            throw form.problem("status", "must be \(allowed), as \(word) has it")
        }
        guard timestamp == nil || status == 410 else {
            throw form.problem("timestampMilliseconds", "is for answers of status 410 only")
        }
        self.init(status: status, reason: word, timestampMilliseconds: timestamp)
    }
}

extension Reason {
    /// Its status, and the one it had before if that is known (contract C1).
    fileprivate var statuses: [Int] { self == .expiredToken ? [status, 400] : [status] }
}

extension Rule where Value == Int {
    fileprivate static let priority = Rule("1, 5 or 10") { json in
        json.int64Value.flatMap { [1, 5, 10].contains($0) ? Int($0) : nil }
    }
}
