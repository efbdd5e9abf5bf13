internal import JSONText

/// Actions as faults and `POST /connections/{number}/ACTION` write them.
extension ConnectionAction {
    /// Nil when there is no such action.
    init?(_ word: String, _ json: JSON) throws(ControlProblem) {
        func count(_ name: String) throws(ControlProblem) -> Int? {
            guard let value = json[name], !value.isNull else { return nil }
            guard let number = value.int64Value, (0...Int64(Int32.max)).contains(number) else {
                throw ControlProblem(422, "\(name): a number, 0 or more")
            }
            return Int(number)
        }
        switch word {
        case "limitStreams":
            guard let count = try count("count") else { throw ControlProblem(422, "count: missing") }
            self = .limitStreams(count)
        case "settings":
            let announcement = Announcement(
                maxConcurrentStreams: try count("maxConcurrentStreams"),
                headerTableSize: try count("headerTableSize"),
                maxFrameSize: try count("maxFrameSize"),
                maxHeaderListSize: try count("maxHeaderListSize"),
                initialWindow: try count("initialWindow")
            )
            if let size = announcement.maxFrameSize, !(16_384...16_777_215).contains(size) {
                throw ControlProblem(422, "maxFrameSize: 16384 to 16777215")
            }
            self = .announce(announcement)
        case "goaway":
            let keep = json["keep"]?.doubleValue ?? 1
            guard (0...1).contains(keep) else { throw ControlProblem(422, "keep: 0 to 1") }
            self = .goAway(reason: json["reason"]?.stringValue ?? Reason.shutdown.rawValue, keep: keep)
        case "slowRead":
            guard let milliseconds = try count("milliseconds") else {
                throw ControlProblem(422, "milliseconds: missing")
            }
            self = .stopReading(milliseconds: milliseconds)
        case "freeze": self = .freeze
        case "drop": self = .drop
        case _: return nil
        }
    }

    var word: String {
        switch self {
        case .limitStreams: "limitStreams"
        case .announce: "settings"
        case .goAway: "goaway"
        case .stopReading: "slowRead"
        case .freeze: "freeze"
        case .drop: "drop"
        }
    }

    var members: [JSONObject.Member] {
        func member(_ name: String, _ number: Int?) -> JSONObject.Member? {
            number.map { JSONObject.Member(name: name, value: .integer($0)) }
        }
        switch self {
        case .limitStreams(let count): return [member("count", count)].compactMap { $0 }
        case .announce(let announcement):
            return [
                member("maxConcurrentStreams", announcement.maxConcurrentStreams),
                member("headerTableSize", announcement.headerTableSize),
                member("maxFrameSize", announcement.maxFrameSize),
                member("maxHeaderListSize", announcement.maxHeaderListSize),
                member("initialWindow", announcement.initialWindow),
            ].compactMap { $0 }
        case .goAway(let reason, let keep):
            return [.init(name: "reason", value: .string(reason)), .init(name: "keep", value: .double(keep))]
        case .stopReading(let milliseconds): return [member("milliseconds", milliseconds)].compactMap { $0 }
        case .freeze, .drop: return []
        }
    }
}
