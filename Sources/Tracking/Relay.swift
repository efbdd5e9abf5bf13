/// What one stream tells another. It is written with the teller's checkpoint and appended to the other stream's lane.
package enum Relay: Hashable, Sendable {
    case toOrder(OrderID, OrderMessage)
    case toDevice(DeviceID, DeviceMessage)
    case toCustomer(CustomerID, CustomerMessage)

    package enum OrderMessage: Hashable, Sendable {
        case linkAnswered(CustomerID, devices: [DeviceSnapshot])
        case deviceAvailable(DeviceSnapshot)
        case deviceGone(DeviceID)
        case startGranted(DeviceID, incarnation: Int, from: Instant?)
        case startRefused(DeviceID, incarnation: Int, until: Instant?)
        case startFree(DeviceID)
        case farewellAtRisk(DeviceID, incarnation: Int)
        case cardsListed(DeviceID, cards: [ListedCard])
    }

    package enum DeviceMessage: Hashable, Sendable {
        case startRequested(OrderID, incarnation: Int)
        case startAnswered(OrderID, incarnation: Int, result: StartResult, deadSince: Instant?)
        case cardLive(OrderID, incarnation: Int)
        case cardEnded(OrderID, incarnation: Int)
    }

    package enum CustomerMessage: Hashable, Sendable {
        case linkOpened(OrderID)
        case linkClosed(OrderID)
        case deviceJoined(DeviceSnapshot)
        case deviceChanged(DeviceSnapshot)
        case deviceLeft(DeviceID)
    }
}

/// How a start that the device granted turned out.
package enum StartResult: String, Hashable, Sendable {
    case accepted
    case refused
    case tokenDead
    case lost
}
