/// What one stream tells another. It is written with the teller's checkpoint and appended to the other stream's lane.
package enum Relay: Hashable, Sendable {
    case toOrder(OrderID, OrderMessage)
    case toDevice(DeviceID, DeviceMessage)
    case toCustomer(CustomerID, CustomerMessage)
    case toToken(TokenID, TokenMessage)

    package enum OrderMessage: Hashable, Sendable {
        case linkAnswered(CustomerID, devices: [DeviceSnapshot])
        case deviceAvailable(DeviceSnapshot)
        case deviceGone(DeviceID)
        case startGranted(DeviceID, incarnation: Int, from: Instant?)
        case startRefused(DeviceID, incarnation: Int, until: Instant?)
        case startFree(DeviceID)
        case farewellAtRisk(DeviceID, incarnation: Int)
        case cardsListed(DeviceID, cards: [ListedCard])
        /// The claim of this version stands no more: another card has the value, or it is dead.
        case tokenLost(TokenID, claim: Int)
    }

    package enum DeviceMessage: Hashable, Sendable {
        case startRequested(OrderID, incarnation: Int)
        case startAnswered(OrderID, incarnation: Int, result: StartResult, deadSince: Instant?)
        case cardLive(OrderID, incarnation: Int)
        case cardEnded(OrderID, incarnation: Int)
        /// The claim of this version stands no more: the device `to` has the value; nil: it is dead.
        case tokenLost(TokenID, claim: Int, to: DeviceID?)
        case ledgerMoved(StartLedger)
        /// An alert met a dead ordinary token; `since`: Apple's time of death.
        case deviceTokenDied(since: Instant?)
    }

    package enum CustomerMessage: Hashable, Sendable {
        case linkOpened(OrderID)
        case linkClosed(OrderID)
        case deviceJoined(DeviceSnapshot)
        case deviceChanged(DeviceSnapshot)
        case deviceLeft(DeviceID)
    }

    /// `claim`: version of the holder's stream at which it registered the value.
    package enum TokenMessage: Hashable, Sendable {
        case claimed(TokenHolder, claim: Int, observedAt: Instant)
        case released(TokenHolder, claim: Int)
        case died(TokenHolder, claim: Int, since: Instant)
    }
}

/// How a start that the device granted turned out.
package enum StartResult: String, Hashable, Sendable {
    case accepted
    case refused
    case tokenDead
    case lost
}
