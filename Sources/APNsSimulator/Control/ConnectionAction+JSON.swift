internal import JSONText

/// Actions as faults and `POST /connections/{number}/ACTION` write them.
extension ConnectionAction {
    /// Nil when there is no such action.
    init?(_ word: String, _ form: inout Form) throws(ControlProblem) {
        switch word {
        case "limitStreams": self = .limitStreams(try form.need("count", .whole()))
        case "settings":
            let announcement = Announcement(
                maxConcurrentStreams: try form.take("maxConcurrentStreams", .whole()),
                headerTableSize: try form.take("headerTableSize", .whole()),
                maxFrameSize: try form.take("maxFrameSize", .frameSize),
                maxHeaderListSize: try form.take("maxHeaderListSize", .whole()),
                initialWindow: try form.take("initialWindow", .whole())
            )
            self = .announce(announcement)
            guard !members.isEmpty else {
                throw form.problem("maxConcurrentStreams", "or another setting is needed: nothing would be announced")
            }
        case "goaway":
            let reason = try form.take("reason", .name) ?? Reason.shutdown.rawValue
            self = .goAway(reason: reason, keep: try form.take("keep", .share) ?? 1)
        case "slowRead": self = .stopReading(milliseconds: try form.need("milliseconds", .milliseconds))
        case "freeze": self = .freeze
        case "drop": self = .drop
        case _: return nil
        }
    }

    static let words = ["goaway", "drop", "freeze", "slowRead", "limitStreams", "settings"]

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

extension Rule where Value == Int {
    /// RFC 9113, section 6.5.2.
    static let frameSize = whole(16_384...16_777_215)
}
