private import Crypto
internal import JSONText

/// One request of a virtual app to Doorstep.
struct DoorstepCall: Sendable {
    let caller: World.Caller
    let call: AppCall
    let method: String
    /// With `?app=`.
    let path: String
    let body: [UInt8]
}

extension Phone {
    /// The request for a call, told as things stand now.
    mutating func request(for call: AppCall, types: [String], at now: Moment) -> (String, String, JSON?) {
        switch call {
        case .register: ("PUT", "/v1/devices/\(segment(id))", registration(types))
        case .activity(let card): ("PUT", path(of: card), activity(card))
        case .report(let card): ("POST", path(of: card) + "/reports", report(card, at: now))
        case .running: ("POST", "/v1/devices/\(segment(id))/running", running(at: now))
        case .leave: ("DELETE", "/v1/devices/\(segment(id))", nil)
        }
    }

    /// The type that the app registers with, of those that it knows, the oldest first.
    func registeredType(_ types: [String]) -> String? { attributesTypes?.first ?? types.last }

    private func path(of card: Int) -> String {
        "/v1/orders/\(segment(cards[card].order))/activities/\(cards[card].activity)"
    }

    private mutating func registration(_ types: [String]) -> JSON {
        [
            "customer": .optional(customer),
            "environment": .string(environment.rawValue),
            "attributesType": .optional(registeredType(types)),
            "pushToStartToken": startsByPush ? .string(startToken.value) : .null,
            "deviceToken": .string(deviceToken),
            "locale": .string(locale),
            "timeZone": .string(timeZone),
            "osVersion": .string(os),
            "appBuild": .string(build),
            "activitiesEnabled": .bool(mayShowCards),
            "frequentPushes": .bool(frequentPushes),
            "notificationsAllowed": .bool(allowsNotifications),
            "observedAt": .string(RFC3339.format(startToken.observedWall)),
            "sequence": .integer(nextSequence()),
        ]
    }

    private mutating func activity(_ index: Int) -> JSON {
        let card = cards[index]
        return [
            "device": .string(id),
            // A card that listens to a channel is told of, so that its end can be, and has no token.
            "updateToken": card.channel == nil ? .string(card.updateToken) : .null,
            "startedBy": "server",
            "startedAt": .string(RFC3339.format(card.startedWall)),
            "observedAt": .string(RFC3339.format(card.tokenSeenWall)),
            "incarnation": card.incarnation.map { .integer($0) } ?? .null,
            "sequence": .integer(nextSequence()),
        ]
    }

    /// The first terminal state: a swipe says dismissed, anything else ended (contract 4.4.8).
    private mutating func report(_ index: Int, at now: Moment) -> JSON {
        let ending = cards[index].ending(at: now.phone)
        let isSwipe = ending?.cause == .swipe
        let at = now.wall - (now.phone - (ending?.at ?? now.phone))
        return [
            "state": isSwipe ? "dismissed" : "ended",
            "at": .string(RFC3339.format(at)),
            "sequence": .integer(nextSequence()),
        ]
    }

    private mutating func running(at now: Moment) -> JSON {
        let activities = cards.compactMap { card -> JSON? in
            let state = card.state(at: now.phone)
            guard state != .dismissed else { return nil }
            return [
                "order": .string(card.order),
                "activity": .string(card.activity.description),
                "incarnation": card.incarnation.map { .integer($0) } ?? .null,
                "state": state == .ended ? "ended" : "active",
            ]
        }
        return ["activities": .array(activities), "sequence": .integer(nextSequence())]
    }
}

/// A path segment: everything but unreserved characters percent-encoded, `/` included.
private func segment(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            encoded.unicodeScalars.append(Unicode.Scalar(byte))
        case _:
            encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }
    return encoded
}
