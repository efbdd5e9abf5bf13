/// Which token a push takes.
package enum TokenKind: String, Hashable, Sendable {
    case start
    case update
    /// The ordinary token, for alerts.
    case device
    /// No token: a broadcast channel.
    case channel
}

/// What was decided for one card when a fact was folded, and why; recorded once beside the fact.
package struct Decision: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case start
        case update
        case refresh
        case markStale
        case end
        case alert
        case openChannel
        case closeChannel
        case wait
        case nothing
    }

    package let device: DeviceID
    /// 0: it is about the alert in the place of cards; -1: about the order's channel.
    package let incarnation: Int
    package let kind: Kind
    package let reason: Reason
    package let tokenKind: TokenKind?
    package let priority: Int?
    package let alerts: Alerts
    /// Digest of the content it is about.
    package let digest: UInt64?
    /// A push that was decided but may not leave yet: spacing, back-off, an app that may start the card itself.
    package let heldUntil: Instant?

    package init(
        device: DeviceID,
        incarnation: Int,
        kind: Kind,
        reason: Reason,
        tokenKind: TokenKind? = nil,
        priority: Int? = nil,
        alerts: Alerts = [],
        digest: UInt64? = nil,
        heldUntil: Instant? = nil
    ) {
        self.device = device
        self.incarnation = incarnation
        self.kind = kind
        self.reason = reason
        self.tokenKind = tokenKind
        self.priority = priority
        self.alerts = alerts
        self.digest = digest
        self.heldUntil = heldUntil
    }
}

/// Why something was decided. The words are stored and shown: changing one is a change of the interface.
package enum Reason: String, Hashable, Sendable, CaseIterable {
    // Start
    case phaseReached
    case repeatAfterRefusal
    case repeatAfterMissing
    // Update
    case phaseChanged
    case etaMoved
    case detailsChanged
    case tokenArrived
    case promiseBroken
    case confirmedAgain
    case refresh
    case minutesPassed
    // End
    case orderDelivered
    case orderCancelled
    case orderFailed
    case orderReturned
    case ownerChanged
    case activitiesDisabled
    case settingChanged
    case duplicateCard
    case rolledOver
    case deadlinePassed
    case lifetimeOver
    case endedByStaff
    case endRepeated
    // Alert in place of a card
    case cardSilent
    case cardOutOfReach
    // Channel
    case channelWanted
    case channelOver
    case phoneJoined
    // Wait
    case channelOpening
    case beforeStartPhase
    case beforeSchedule
    case startRequested
    case startBudgetSpent
    case etaUnknown
    case startInFlight
    case answerLost
    case orderUnknown
    case tokenAwaited
    // Nothing
    case finishedBeforeStart
    case noStartToken
    case switchedOff
    case tooOld
    case refusedByDevice
    case startRefused
    case nothingVisible
    case alreadyEnded
    case dismissed
    case refusedForGood
    case appRunsIt
    case toldByChannel
    case appMayStart
    case startedByAppOnly
    case otherAttributesType
    case otherCardRuns
    case otherCardEnded
    case noDevice
    case fallbackOff
    case alertGiven
    case alertOutdated
    case cardShowsIt
    case noDeviceToken
    case notificationsOff

    /// Why a card goes before its order is over.
    static func endedEarly(_ why: EndReason) -> Reason {
        switch why {
        case .owner, .optOut: .ownerChanged
        case .disabled: .activitiesDisabled
        case .setting: .settingChanged
        case .duplicate: .duplicateCard
        case .rollover: .rolledOver
        case .lifetime: .lifetimeOver
        case .deadline: .deadlinePassed
        case .staff: .endedByStaff
        case .delivered, .cancelled, .failed, .returned, .unconfirmed, .unknown: .answerLost
        }
    }

    static func ended(_ phase: Phase) -> Reason {
        switch phase {
        case .delivered, .placed, .accepted, .onTheWay, .courierWaiting: .orderDelivered
        case .cancelled: .orderCancelled
        case .failed: .orderFailed
        case .returned: .orderReturned
        }
    }
}
