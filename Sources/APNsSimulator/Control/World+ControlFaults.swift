internal import JSONText

extension World {
    mutating func faults(_ request: ControlRequest, at now: Moment) throws(ControlProblem) -> ControlReply {
        switch request.method {
        case "GET": return .json(["items": .array(faults.faults.map(Self.json))])
        case "POST":
            let json = try request.json()
            let effect = try Self.effect(json)
            let match = try Self.match(json["match"] ?? [:])
            let seconds = json["seconds"]?.doubleValue
            let fault = faults.add { id in
                Fault(
                    id: id,
                    effect: effect,
                    match: match,
                    skip: json["skip"]?.int64Value.map { Int(clamping: $0) } ?? 0,
                    times: json["times"]?.int64Value.map { Int(clamping: $0) } ?? (seconds == nil ? 1 : nil),
                    until: seconds.map { now.wall + Int64($0 * 1_000_000) },
                    probability: json["probability"]?.doubleValue ?? 1
                )
            }
            return .json(Self.json(fault), status: 201)
        case "DELETE":
            faults.removeAll()
            return .noContent
        case _: throw Self.notAllowed(request)
        }
    }

    mutating func removeFault(_ id: String, _ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        guard request.method == "DELETE" else { throw Self.notAllowed(request) }
        guard let number = Int(id), faults.remove(number) else { throw ControlProblem(404, "no such fault") }
        return .noContent
    }

    private static func effect(_ json: JSON) throws(ControlProblem) -> Fault.Effect {
        switch json["effect"]?.stringValue {
        case "answer": return .answer(try refusal(json))
        case "lose": return .lose
        case "stall": return .stall
        case "delay":
            guard let milliseconds = json["milliseconds"]?.int64Value, milliseconds >= 0 else {
                throw ControlProblem(422, "milliseconds: missing")
            }
            return .delay(milliseconds: Int(milliseconds))
        case "reset": return .reset(try word("code", in: json) ?? .refusedStream)
        case "drop": return .drop
        case "acceptAndDrop": return .acceptAndDrop
        case "freeze": return .freeze
        case let word:
            if let word, word != "drop", let action = try ConnectionAction(word, json) { return .meanwhile(action) }
            throw ControlProblem(
                422,
                "effect: answer, lose, stall, delay, reset, drop, acceptAndDrop, freeze, goaway, limitStreams, settings "
                    + "or slowRead"
            )
        }
    }

    /// A reason of Apple's brings its status along; any other needs one.
    private static func refusal(_ json: JSON) throws(ControlProblem) -> Refusal {
        guard let word = json["reason"]?.stringValue else { throw ControlProblem(422, "reason: missing") }
        let timestamp = json["timestampMilliseconds"]?.int64Value
        if let status = json["status"]?.int64Value {
            return Refusal(status: Int(clamping: status), reason: word, timestampMilliseconds: timestamp)
        }
        guard let reason = Reason(rawValue: word) else { throw ControlProblem(422, "status: missing") }
        return Refusal(reason, timestampMilliseconds: timestamp)
    }

    private static func match(_ json: JSON) throws(ControlProblem) -> Fault.Match {
        Fault.Match(
            token: json["token"]?.stringValue?.lowercased(),
            phone: json["phone"]?.stringValue,
            order: json["order"]?.stringValue,
            channel: json["channel"]?.stringValue,
            topic: json["topic"]?.stringValue,
            event: try word("event", in: json),
            tokenKind: try word("tokenKind", in: json),
            environment: try word("environment", in: json),
            connection: json["connection"]?.int64Value.map { UInt64(clamping: $0) },
            priority: json["priority"]?.int64Value.map { Int(clamping: $0) }
        )
    }

    private static func json(_ fault: Fault) -> JSON {
        var object: JSONObject = ["id": .integer(fault.id), "effect": .string(fault.effect.word)]
        switch fault.effect {
        case .answer(let refusal):
            object["status"] = .integer(refusal.status)
            object["reason"] = .string(refusal.reason)
        case .delay(let milliseconds): object["milliseconds"] = .integer(milliseconds)
        case .reset(let code): object["code"] = .string(code.rawValue)
        case .meanwhile(let action): for member in action.members { object[member.name] = member.value }
        case .lose, .stall, .drop, .acceptAndDrop, .freeze: break
        }
        object["skip"] = .integer(fault.skip)
        object["times"] = fault.times.map { .integer($0) } ?? .null
        object["until"] = .optional(fault.until.map(RFC3339.format))
        object["probability"] = .double(fault.probability)
        object["applied"] = .integer(fault.applied)
        return .object(object)
    }
}
