private import JSONText
package import Tracking

/// Reads the facts of a device's stream.
package enum DeviceFactCodec {
    package static func fact(type: String, body: [UInt8]) throws(FactError) -> DeviceStreamFact {
        let members = try Members(parsing: body)
        switch type {
        case FactType.deviceRegistered:
            return .registered(try registration(members))
        case FactType.deviceLoggedOut:
            return .loggedOut(sequence: members.optionalInteger("sequence").map { Int64($0) })
        case FactType.deviceRunning:
            return try running(members)
        case FactType.startRequested:
            return .message(.startRequested(try members.order(), incarnation: try members.integer("incarnation")))
        case FactType.startAnswered:
            return .message(
                .startAnswered(
                    try members.order(),
                    incarnation: try members.integer("incarnation"),
                    result: try members.word("result", StartResult.self),
                    deadSince: try members.optionalInstant("deadSince")
                )
            )
        case FactType.cardLive:
            return .message(.cardLive(try members.order(), incarnation: try members.integer("incarnation")))
        case FactType.cardEnded:
            return .message(.cardEnded(try members.order(), incarnation: try members.integer("incarnation")))
        case FactType.tokenLost:
            return .message(
                .tokenLost(
                    try members.token(),
                    claim: try members.integer("claim"),
                    to: members.optionalText("to").map { DeviceID($0) }
                )
            )
        case FactType.ledgerMoved:
            return .message(.ledgerMoved(try LedgerCodec.ledger(members)))
        case FactType.deviceTokenDied:
            return .message(.deviceTokenDied(since: try members.optionalInstant("since")))
        default:
            return .other
        }
    }

    private static func registration(_ members: Members) throws(FactError) -> DeviceRegistration {
        var registration = DeviceRegistration(observedAt: try members.instant("observedAt"))
        registration.customer = members.optionalText("customer").map { CustomerID($0) }
        registration.environment = members.optionalText("environment").flatMap { APNsEnvironment(name: $0) }
        registration.attributesType = members.optionalText("attributesType")
        registration.locale = members.optionalText("locale")
        registration.timeZone = members.optionalText("timeZone")
        registration.osVersion = members.optionalText("osVersion")
        registration.appBuild = members.optionalText("appBuild")
        registration.activitiesEnabled = members.optional("activitiesEnabled")?.boolValue
        registration.frequentPushes = members.optional("frequentPushes")?.boolValue
        registration.notificationsAllowed = members.optional("notificationsAllowed")?.boolValue
        registration.sequence = members.optionalInteger("sequence").map { Int64($0) }
        if members.states("token") {
            registration.startToken = members.optional("token") == nil ? .erased : .replaced
            registration.tokenID = members.optionalText("tokenId").map { TokenID($0) }
        }
        if members.states("deviceToken") {
            registration.deviceToken = members.optional("deviceToken") == nil ? .erased : .replaced
            registration.deviceTokenID = members.optionalText("deviceTokenId").map { TokenID($0) }
        }
        return registration
    }

    private static func running(_ members: Members) throws(FactError) -> DeviceStreamFact {
        var cards: [OrderID: [ListedCard]] = [:]
        for (order, _) in try members.entries("orders") {
            cards[OrderID(order)] = try ListedCardCodec.cards(try members.object("orders"), order)
        }
        return .running(cards: cards, sequence: members.optionalInteger("sequence").map { Int64($0) })
    }
}

/// Reads the facts of a customer's stream.
package enum CustomerFactCodec {
    /// nil for a fact of a later release.
    package static func message(type: String, body: [UInt8]) throws(FactError) -> Relay.CustomerMessage? {
        let members = try Members(parsing: body)
        switch type {
        case FactType.linkOpened: return .linkOpened(try members.order())
        case FactType.linkClosed: return .linkClosed(try members.order())
        case FactType.deviceJoined: return .deviceJoined(try SnapshotCodec.snapshot(try members.object("device")))
        case FactType.deviceChanged: return .deviceChanged(try SnapshotCodec.snapshot(try members.object("device")))
        case FactType.deviceLeft: return .deviceLeft(try members.device())
        default: return nil
        }
    }
}
