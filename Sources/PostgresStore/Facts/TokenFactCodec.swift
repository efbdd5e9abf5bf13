internal import JSONText
package import Tracking

/// Reads and writes the facts of a token's stream.
package enum TokenFactCodec {
    /// nil for a fact of a later release.
    package static func message(type: String, body: [UInt8]) throws(FactError) -> Relay.TokenMessage? {
        let members = try Members(parsing: body)
        switch type {
        case FactType.tokenClaimed:
            return .claimed(
                try holder(members),
                claim: try members.integer("claim"),
                observedAt: try members.instant("observedAt")
            )
        case FactType.tokenReleased:
            return .released(try holder(members), claim: try members.integer("claim"))
        case FactType.tokenDied:
            return .died(
                try holder(members),
                claim: try members.integer("claim"),
                since: try members.instant("since")
            )
        default:
            return nil
        }
    }

    static func encode(_ message: Relay.TokenMessage) -> (type: String, body: JSON) {
        switch message {
        case .claimed(let holder, let claim, let observedAt):
            (FactType.tokenClaimed, body(holder, claim, "observedAt", observedAt))
        case .released(let holder, let claim):
            (FactType.tokenReleased, .object(members(holder, claim)))
        case .died(let holder, let claim, let since):
            (FactType.tokenDied, body(holder, claim, "since", since))
        }
    }

    private static func body(_ holder: TokenHolder, _ claim: Int, _ name: String, _ moment: Instant) -> JSON {
        var members = members(holder, claim)
        members[name] = .time(moment)
        return .object(members)
    }

    private static func members(_ holder: TokenHolder, _ claim: Int) -> JSONObject {
        [
            "device": .string(holder.device.value), "order": .optional(holder.order?.value), "claim": .integer(claim),
        ]
    }

    private static func holder(_ members: Members) throws(FactError) -> TokenHolder {
        TokenHolder(device: try members.device(), order: members.optionalText("order").map { OrderID($0) })
    }
}

/// A phone's starts on their way to its new name.
enum LedgerCodec {
    static func json(_ ledger: StartLedger) -> JSON {
        [
            "starts": .array(ledger.starts.map { .time($0) }), "lastStartAt": .optionalTime(ledger.lastStartAt),
            "unanswered": .integer(ledger.unanswered), "steps": .integer(ledger.steps),
        ]
    }

    static func ledger(_ members: Members) throws(FactError) -> StartLedger {
        StartLedger(
            starts: try members.instants("starts"),
            lastStartAt: try members.optionalInstant("lastStartAt"),
            unanswered: try members.integer("unanswered"),
            steps: try members.integer("steps")
        )
    }
}
