internal import JSONText

/// An explanation as a person reads it: the order, then phone by phone its cards and what was decided and answered.
struct ExplanationText {
    private let answer: JSON
    private let redecided: Bool

    init(_ answer: JSON, redecided: Bool) {
        self.answer = answer
        self.redecided = redecided
    }

    var lines: [String] {
        let phones = answer["phones"]?.arrayValue ?? []
        let policy = answer["policyVersion"]?.int64Value.map { ", policy \($0) in force now" } ?? ""
        var lines = ["order \(text("order", answer)) at \(text("at", answer)): \(text("phase", answer))\(policy)"]
        lines += waiting(answer["timer"], "  ")
        if phones.isEmpty { lines.append("nothing was decided: \(whyNoPhone)") }
        if let since = answer["decisionsSince"]?.stringValue {
            lines.append("decisions before \(since) are left out here; they stand on the timeline")
        }
        for phone in phones {
            lines += ["", isChannel(phone) ? "the order's broadcast channel" : "phone \(text("device", phone))"]
            let cards = phone["cards"]?.arrayValue ?? []
            if cards.isEmpty {
                lines.append("  no card yet: the order has not reached the phase from which one may start")
            }
            for card in cards { lines += self.card(card) }
            lines += alert(phone)
            lines += history(phone)
        }
        return lines
    }

    /// What stands for the phones that listen (decision 016).
    private func isChannel(_ phone: JSON) -> Bool {
        ["cards", "decisions"].contains { phone[$0]?.arrayValue?.first?["incarnation"] == -1 }
    }

    private var whyNoPhone: String {
        answer["customers"]?.int64Value == 0
            ? "nobody has said whose order it is; name data.customer in an event, or PUT it to the order's customers"
            : "no phone is registered for the order's customer; `GET /v1/devices/DEVICE` tells whose a phone is"
    }

    private func card(_ card: JSON) -> [String] {
        let ended = card["reason"]?.stringValue.map { " (\($0))" } ?? ""
        var lines = ["  \(about(card)): \(text("state", card))\(ended). \(text("meaning", card))"]
        if let phase = card["shownPhase"]?.stringValue {
            let stale = card["staleAt"]?.stringValue.map { ", stale at \($0)" } ?? ""
            lines.append("    shows \(phase), accepted by APNs at \(text("lastAcceptedAt", card))\(stale)")
        }
        if let pending = Self.present(card["pending"]) {
            let due = pending["dueAt"]?.stringValue.map { "due at \($0)" } ?? "waits for a token"
            lines.append(
                "    to be sent: \(text("event", pending)), \(due)\(push(pending)). \(text("meaning", pending))"
            )
        }
        lines += waiting(card["timer"], "    ")
        return lines + ["    next: \(text("next", card))"]
    }

    /// The alert in the place of cards, where one was wanted.
    private func alert(_ phone: JSON) -> [String] {
        guard let alert = Self.present(phone["alert"]) else { return [] }
        let told = (alert["told"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: " and ")
        return ["  alert: \(told.isEmpty ? "has told nothing" : "told \(told)"). \(text("next", alert))"]
    }

    /// Card and number, or what stands in the place of cards.
    private func about(_ entry: JSON) -> String {
        switch entry["incarnation"]?.int64Value {
        case 0: "alert"
        case -1: "channel"
        default: "card \(number("incarnation", entry))"
        }
    }

    private func waiting(_ timer: JSON?, _ indent: String) -> [String] {
        guard let timer = Self.present(timer) else { return [] }
        return [
            "\(indent)waits until \(text("until", timer)) for \(text("meaning", timer)) (\(text("waitsFor", timer)))"
        ]
    }

    /// Decisions and answers in the order of the log.
    private func history(_ phone: JSON) -> [String] {
        let decisions = (phone["decisions"]?.arrayValue ?? []).map { (pos: pos($0), lines: decision($0)) }
        let answers = (phone["answers"]?.arrayValue ?? []).map { (pos: pos($0), lines: self.answer($0)) }
        // An answer comes before what is decided on hearing it.
        let all = answers + decisions
        return all.enumerated().sorted { ($0.element.pos, $0.offset) < ($1.element.pos, $1.offset) }
            .flatMap(\.element.lines)
    }

    private func pos(_ entry: JSON) -> Int64 { entry["pos"]?.int64Value ?? 0 }

    private func decision(_ entry: JSON) -> [String] {
        let head = "  \(text("at", entry))  \(about(entry))  after \(text("because", entry)): "
        let today = Self.present(entry["today"])
        guard entry["verdict"]?.stringValue != nil else {
            return today.map { ["\(head)nothing recorded", "    today: \(verdict($0))"] } ?? []
        }
        let lines = [head + verdict(entry) + " [policy \(number("policyVersion", entry))]"]
        guard redecided else { return lines }
        guard let today else { return lines + ["    today: nothing"] }
        return lines + [verdict(today) == verdict(entry) ? "    today: the same" : "    today: \(verdict(today))"]
    }

    private func verdict(_ decision: JSON) -> String {
        let held = decision["heldUntil"]?.stringValue.map { ", held until \($0)" } ?? ""
        return "\(text("verdict", decision)), \(text("reason", decision))\(push(decision))\(held). "
            + text("meaning", decision)
    }

    private func answer(_ entry: JSON) -> [String] {
        let head = "  \(text("at", entry))  \(about(entry))  APNs: \(text("event", entry)) "
        let status = entry["status"]?.int64Value
        let reason = entry["reason"]?.stringValue.map { " \($0)" } ?? ""
        let remedy = entry["remedy"]?.stringValue.map { "; \(Self.words(ofRemedy: $0))" } ?? ""
        switch entry["result"]?.stringValue {
        case "accepted": return ["\(head)accepted\(push(entry))"]
        case "lost": return ["\(head)left, and no answer came: nobody knows whether it arrived\(push(entry))"]
        case _ where status == 0: return ["\(head)never left:\(reason)\(remedy)\(push(entry))"]
        default: return ["\(head)refused: \(status.map { "\($0)" } ?? "")\(reason)\(remedy)\(push(entry))"]
        }
    }

    private static func words(ofRemedy remedy: String) -> String {
        switch remedy {
        case "forgetToken": "the token is dead"
        case "retry": "tried again with the newest state"
        case "drop": "not offered again"
        default: remedy
        }
    }

    /// Token, priority and alerts of a push, as far as they are known.
    private func push(_ entry: JSON) -> String {
        let alerts = (entry["alerts"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: " and ")
        let parts = [
            entry["token"]?.stringValue.map { "\($0) token" }, entry["priority"]?.int64Value.map { "priority \($0)" },
            alerts.isEmpty ? nil : "alert \(alerts)",
        ].compactMap(\.self)
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }

    /// A member that is there and not null.
    private static func present(_ json: JSON?) -> JSON? {
        guard let json, !json.isNull else { return Optional.none }
        return json
    }

    private func text(_ name: String, _ json: JSON) -> String { json[name]?.stringValue ?? "" }

    private func number(_ name: String, _ json: JSON) -> String { json[name]?.int64Value.map { "\($0)" } ?? "" }
}
