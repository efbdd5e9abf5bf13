package import JSONText
package import Tracking

/// The items of an `effect` row: what was decided beside one fact, readable for ever.
package enum DecisionCodec {
    package static func items(_ decisions: [Decision]) -> [UInt8] {
        JSON.array(decisions.map(item)).serialized()
    }

    private static func item(_ decision: Decision) -> JSON {
        var item: JSONObject = [
            "device": .string(decision.device.value), "incarnation": .integer(decision.incarnation),
            "decision": .string(decision.kind.rawValue), "reason": .string(decision.reason.rawValue),
        ]
        if let kind = decision.tokenKind { item["token"] = .string(kind.rawValue) }
        if let priority = decision.priority { item["priority"] = .integer(priority) }
        if !decision.alerts.isEmpty { item["alerts"] = .integer(decision.alerts.rawValue) }
        if let digest = decision.digest { item["digest"] = .string(String(digest, radix: 16)) }
        if let until = decision.heldUntil { item["heldUntil"] = .time(until) }
        return .object(item)
    }

    /// The items as stored, for the timeline.
    package static func json(_ items: [UInt8]) throws(FactError) -> JSON {
        do {
            return try JSON.parse(items)
        } catch {
            throw FactError(.malformedJSON)
        }
    }
}
