private import JSONText
package import Tracking

/// A message between streams in the form in which it is stored and appended.
package struct StoredRelay: Hashable, Sendable {
    package let kind: StreamKind
    package let stream: String
    package let type: String
    package let body: [UInt8]

    package init(kind: StreamKind, stream: String, type: String, body: [UInt8]) {
        self.kind = kind
        self.stream = stream
        self.type = type
        self.body = body
    }
}

package enum RelayCodec {
    package static func store(_ relay: Relay) -> StoredRelay {
        switch relay {
        case .toOrder(let order, let message):
            let (type, body) = encode(message)
            return StoredRelay(kind: .order, stream: order.value, type: type, body: body.serialized())
        case .toDevice(let device, let message):
            let (type, body) = encode(message)
            return StoredRelay(kind: .device, stream: device.value, type: type, body: body.serialized())
        case .toCustomer(let customer, let message):
            let (type, body) = encode(message)
            return StoredRelay(kind: .customer, stream: customer.value, type: type, body: body.serialized())
        case .toToken(let token, let message):
            let (type, body) = TokenFactCodec.encode(message)
            return StoredRelay(kind: .token, stream: token.value, type: type, body: body.serialized())
        }
    }

    private static func encode(_ message: Relay.OrderMessage) -> (String, JSON) {
        switch message {
        case .linkAnswered(let customer, let devices):
            (
                FactType.linkAnswered,
                ["customer": .string(customer.value), "devices": .array(devices.map(SnapshotCodec.json))]
            )
        case .deviceAvailable(let snapshot):
            (FactType.deviceAvailable, ["device": SnapshotCodec.json(snapshot)])
        case .deviceGone(let device):
            (FactType.deviceGone, ["device": .string(device.value)])
        case .startGranted(let device, let incarnation, let from):
            (
                FactType.startGranted,
                [
                    "device": .string(device.value), "incarnation": .integer(incarnation),
                    "from": .optionalTime(from),
                ]
            )
        case .startRefused(let device, let incarnation, let until):
            (
                FactType.startRefused,
                [
                    "device": .string(device.value), "incarnation": .integer(incarnation),
                    "until": .optionalTime(until),
                ]
            )
        case .startFree(let device):
            (FactType.startFree, ["device": .string(device.value)])
        case .farewellAtRisk(let device, let incarnation):
            (FactType.farewellAtRisk, ["device": .string(device.value), "incarnation": .integer(incarnation)])
        case .cardsListed(let device, let cards):
            (
                FactType.cardsListed,
                ["device": .string(device.value), "cards": .array(cards.map(ListedCardCodec.json))]
            )
        case .tokenLost(let token, let claim):
            (FactType.tokenLost, ["token": .string(token.value), "claim": .integer(claim)])
        }
    }

    private static func encode(_ message: Relay.DeviceMessage) -> (String, JSON) {
        switch message {
        case .startRequested(let order, let incarnation):
            (FactType.startRequested, card(order, incarnation))
        case .startAnswered(let order, let incarnation, let result, let deadSince):
            (
                FactType.startAnswered,
                [
                    "order": .string(order.value), "incarnation": .integer(incarnation),
                    "result": .string(result.rawValue), "deadSince": .optionalTime(deadSince),
                ]
            )
        case .cardLive(let order, let incarnation):
            (FactType.cardLive, card(order, incarnation))
        case .cardEnded(let order, let incarnation):
            (FactType.cardEnded, card(order, incarnation))
        case .tokenLost(let token, let claim, let successor):
            (
                FactType.tokenLost,
                ["token": .string(token.value), "claim": .integer(claim), "to": .optional(successor?.value)]
            )
        case .ledgerMoved(let ledger):
            (FactType.ledgerMoved, LedgerCodec.json(ledger))
        case .deviceTokenDied(let since):
            (FactType.deviceTokenDied, ["since": .optionalTime(since)])
        }
    }

    private static func card(_ order: OrderID, _ incarnation: Int) -> JSON {
        ["order": .string(order.value), "incarnation": .integer(incarnation)]
    }

    private static func encode(_ message: Relay.CustomerMessage) -> (String, JSON) {
        switch message {
        case .linkOpened(let order): (FactType.linkOpened, ["order": .string(order.value)])
        case .linkClosed(let order): (FactType.linkClosed, ["order": .string(order.value)])
        case .deviceJoined(let snapshot): (FactType.deviceJoined, ["device": SnapshotCodec.json(snapshot)])
        case .deviceChanged(let snapshot): (FactType.deviceChanged, ["device": SnapshotCodec.json(snapshot)])
        case .deviceLeft(let device): (FactType.deviceLeft, ["device": .string(device.value)])
        }
    }
}
