internal import JSONText
private import Service
internal import Tracking

extension ExplanationView {
    func json(for caller: Caller) -> JSONObject {
        [
            "app": .string(caller.app), "order": .string(order.value), "at": .time(at), "phase": .string(phase.name),
            "revision": .integer(revision), "policyVersion": .integer(policyVersion), "timer": .optional(timer),
            "customers": .integer(customers), "decisionsSince": .time(decisionsSince),
            "phones": .array(phones.map { .object($0.json) }),
        ]
    }
}

extension PhoneExplanation {
    fileprivate var json: JSONObject {
        [
            "device": .string(device.value), "cards": .array(cards.map { .object($0.json) }),
            "alert": alert.map { .object($0.json) } ?? .null,
            "decisions": .array(decisions.map { .object($0.json) }),
            "answers": .array(answers.map { .object($0.json) }),
        ]
    }
}

extension CardExplanation {
    fileprivate var json: JSONObject {
        var object = card.json
        object["device"] = nil
        object["meaning"] = .string(meaning)
        object["shownPhase"] = .optional(shownPhase?.name)
        object["staleAt"] = .time(staleAt)
        object["pending"] = pending.map { .object($0.json) } ?? .null
        object["timer"] = .optional(timer)
        object["next"] = .string(next)
        return object
    }
}

extension AlertExplanation {
    fileprivate var json: JSONObject {
        [
            "told": .alerts(told), "pending": pending.map { .object($0.json) } ?? .null, "next": .string(next),
        ]
    }
}

extension CardExplanation.Pending {
    fileprivate var json: JSONObject {
        [
            "event": .string(verb.name), "reason": .string(reason.rawValue), "meaning": .string(reason.meaning),
            "priority": .integer(priority), "alerts": .alerts(alerts), "dueAt": .time(dueAt),
        ]
    }
}

extension DecisionExplanation {
    /// What was recorded stands in the object itself, today's decision in `today`.
    fileprivate var json: JSONObject {
        var object: JSONObject = [
            "at": .time(at), "pos": .integer(pos), "because": .string(because), "incarnation": .integer(incarnation),
            "policyVersion": recorded.map { .integer($0.policyVersion) } ?? .null,
        ]
        for member in Self.members(of: recorded).members { object[member.name] = member.value }
        object["today"] = today.map { .object(Self.members(of: $0)) } ?? .null
        return object
    }

    private static func members(of decision: TimelineDecision?) -> JSONObject {
        let details = decision?.details ?? [:]
        let alerts = details["alerts"]?.int64Value.map { Alerts(rawValue: UInt8(truncatingIfNeeded: $0)) }
        let meaning = decision.flatMap { Reason(rawValue: $0.reason) }?.meaning
        return [
            "verdict": .optional(decision?.verdict), "reason": .optional(decision?.reason),
            "meaning": .optional(meaning), "token": details["token"] ?? .null,
            "priority": details["priority"] ?? .null, "alerts": .alerts(alerts ?? []),
            "heldUntil": details["heldUntil"] ?? .null,
        ]
    }
}

extension AnswerView {
    fileprivate var json: JSONObject {
        [
            "at": .time(at), "pos": .integer(pos), "incarnation": .integer(incarnation), "event": .string(event),
            "result": .string(result.rawValue), "status": status.map { .integer($0) } ?? .null,
            "reason": .optional(reason), "remedy": .optional(remedy),
            "priority": priority.map { .integer($0) } ?? .null, "alerts": .alerts(alerts),
            "apnsId": .optional(apnsID),
        ]
    }
}

extension JSON {
    fileprivate static func optional(_ timer: TimerView?) -> JSON {
        timer.map {
            ["waitsFor": .string($0.kind.name), "meaning": .string($0.kind.meaning), "until": .time($0.until)]
        } ?? .null
    }

    /// The names of alerts, in a fixed order.
    fileprivate static func alerts(_ alerts: Alerts) -> JSON {
        let all: [(Alerts, String)] = [
            (.start, "start"), (.courierWaiting, "courier_waiting"), (.cancelled, "cancelled"),
            (.attemptFailed, "attempt_failed"),
        ]
        return .array(all.filter { alerts.contains($0.0) }.map { .string($0.1) })
    }
}
