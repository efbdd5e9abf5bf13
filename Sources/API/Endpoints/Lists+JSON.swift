internal import JSONText
internal import Tracking

extension OrderSummary {
    static let columns = [
        "order", "phase", "since", "restaurant", "placedAt", "lastAt", "closedAt", "eta", "flags", "match",
    ]

    var json: JSONObject {
        [
            "order": .string(order.value), "phase": .string(phase.name), "since": .time(since),
            "restaurant": .optional(restaurant), "placedAt": .time(placedAt), "lastAt": .time(lastAt),
            "closedAt": .time(closedAt), "eta": .time(eta), "flags": .array(flags.names.map(JSON.string)),
            "match": match.map { ["kind": .string($0.kind), "value": .string($0.value)] } ?? .null,
        ]
    }
}

extension ParkedEntry {
    static let columns = ["kind", "stream", "since", "fromVersion", "reason", "detail"]

    var json: JSONObject {
        [
            "kind": .string(kind), "stream": .string(stream), "since": .time(since),
            "fromVersion": .integer(fromVersion), "reason": .string(reason), "detail": .optional(detail),
        ]
    }
}

extension QuarantinedEntry {
    static let columns = ["order", "source", "type", "id", "times", "firstAt", "lastAt"]

    var json: JSONObject {
        [
            "order": .string(order), "source": .string(source), "type": .string(type), "id": .string(id),
            "times": .integer(times), "firstAt": .time(firstAt), "lastAt": .time(lastAt),
        ]
    }
}
