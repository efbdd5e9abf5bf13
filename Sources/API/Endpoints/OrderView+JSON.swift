internal import JSONText
internal import Tracking

extension OrderView {
    /// The courier's name is personal: the customer's app and supervisors see it.
    func json(for caller: Caller) -> JSONObject {
        var object: JSONObject = [
            "app": .string(caller.app), "id": .string(order.value), "phase": .string(phase.name),
            "since": .time(since), "kitchen": .string(kitchen.name), "courier": .string(courier.name),
            "eta": .time(eta), "flags": .array(flags.names.map(JSON.string)),
            "pendingCommand": pendingCommand.map { ["id": .string($0.id), "command": .string($0.command)] } ?? .null,
            "revision": .integer(revision),
            "version": .integer(version), "settledVersion": .integer(settledVersion),
            "activities": .array(activities.map { .object($0.json) }),
        ]
        if caller.role == .device || caller.role == .supervisor { object["courierName"] = .optional(courierName) }
        return object
    }
}

extension ActivityView {
    var json: JSONObject {
        [
            "device": .string(device.value), "incarnation": .integer(incarnation),
            "activity": .optional(activity?.value), "state": .string(state.name),
            "reason": .optional(state.endReason?.rawValue), "decision": .string(reason.rawValue),
            "startedBy": .string(startedBy.name),
            "startedAt": .time(startedAt), "lastAcceptedAt": .time(lastAcceptedAt),
        ]
    }
}

extension ActivityState {
    fileprivate var endReason: EndReason? {
        switch self {
        case .ended(let reason): reason
        case .none, .starting, .maybeStarted, .live, .liveOnChannel, .localOnly, .ending, .unreachable, .dismissed: nil
        }
    }
}

extension CardOrigin {
    var name: String {
        switch self {
        case .server: "server"
        case .app: "app"
        }
    }
}

extension JSON {
    /// Microseconds since 1970 as RFC 3339, or null.
    static func time(_ microseconds: Int64?) -> JSON { .optional(microseconds.map(RFC3339.format)) }
}
