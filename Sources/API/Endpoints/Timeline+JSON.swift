internal import JSONText
internal import Tracking

extension FactEntry {
    static let columns = ["time", "type", "sourceType", "source", "id", "effect", "phase"]

    var json: JSONObject {
        [
            "time": .time(time), "type": .string(type.word), "sourceType": .optional(sourceType),
            "source": .string(source), "id": .string(id), "effect": .string(effect.rawValue),
            "phase": .string(phase.name),
        ]
    }
}

extension TimelineEntry {
    static let columns = [
        "lane", "pos", "version", "recordedAt", "time", "type", "sourceType", "source", "id", "flags", "actor",
        "effect",
        "phase", "details", "decisions",
    ]

    var json: JSONObject {
        [
            "lane": .integer(receipt.lane), "pos": .integer(receipt.pos), "version": .integer(receipt.version),
            "recordedAt": .time(recordedAt), "time": .time(occurredAt), "type": .string(type),
            "sourceType": .optional(sourceType), "source": .string(source), "id": .string(id),
            "flags": .array(flags.names.map(JSON.string)), "actor": .optional(actor),
            "effect": .optional(effect?.rawValue), "phase": .optional(phase?.name), "details": .object(details),
            "decisions": .array(decisions.map { .object($0.json) }),
        ]
    }
}

extension TimelineDecision {
    fileprivate var json: JSONObject {
        [
            "device": .string(device.value), "incarnation": .integer(incarnation), "verdict": .string(verdict),
            "reason": .string(reason), "policyVersion": .integer(policyVersion), "details": .object(details),
        ]
    }
}

extension FactFlags {
    /// As the interfaces name them, in a fixed order.
    fileprivate var names: [String] {
        let all: [(FactFlags, String)] = [
            (.clockAhead, "clock_ahead"), (.idShared, "id_shared"), (.timeAssumed, "time_assumed"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}
