/// Everything the log can tell an order's stream.
package enum OrderStreamFact: Hashable, Sendable {
    case partner(PartnerFact)
    case linked(CustomerID)
    case linkAnswered(CustomerID, devices: [DeviceSnapshot])
    case deviceAvailable(DeviceSnapshot)
    case deviceGone(DeviceID)
    /// `from`: the start may not leave before, as other starts of the device come first.
    case startGranted(DeviceID, incarnation: Int, from: Instant?)
    case startRefused(DeviceID, incarnation: Int, until: Instant?)
    case startFree(DeviceID)
    /// The card's end was accepted while the device had another card.
    case farewellAtRisk(DeviceID, incarnation: Int)
    /// The app may start a card itself: a push start waits for it a while.
    case asked(DeviceID)
    /// The app leaves it to the system to show a card later: there is no push start.
    case scheduled(DeviceID)
    case registered(CardRegistration)
    case reported(CardReport)
    case cardsListed(DeviceID, cards: [ListedCard])
    /// The claim of this version on an update token stands no more.
    case tokenLost(TokenID, claim: Int)
    case startClaimed(DeviceID, incarnation: Int)
    case pushAccepted(PushAccepted)
    case pushRefused(PushRefused)
    case pushLost(PushLost)
    /// APNs made the order's channel, or deleted it.
    case channelOpened(ChannelID)
    case channelClosed
    case timerRang(TimerRang)
    /// A courier of this id was seen; nil: one without an id.
    case courierSeen(courier: String?)
    case commandRequested(PendingCommand)
    /// The stream rests: partner facts are kept and not folded until it is mended.
    case parked
    case unparked
    /// A fact of a later release: kept, without effect here.
    case other
}

/// The app handed over a card's update token.
package struct CardRegistration: Hashable, Sendable {
    package var device: DeviceID
    package var activity: ActivityID
    package var hasToken: Bool
    /// Names the token's value.
    package var token: TokenID?
    package var origin: CardOrigin
    package var startedAt: Instant?
    /// When the app was handed the token.
    package var observedAt: Instant
    /// nil: the newest server start of this order and device still without a token, else the next number.
    package var incarnation: Int?
    package var sequence: Int64?

    package init(
        device: DeviceID,
        activity: ActivityID,
        hasToken: Bool,
        token: TokenID? = nil,
        origin: CardOrigin,
        startedAt: Instant?,
        observedAt: Instant,
        incarnation: Int?,
        sequence: Int64?
    ) {
        self.device = device
        self.activity = activity
        self.hasToken = hasToken
        self.token = token
        self.origin = origin
        self.startedAt = startedAt
        self.observedAt = observedAt
        self.incarnation = incarnation
        self.sequence = sequence
    }
}

/// What the app says of a card's state.
package enum ReportedState: String, Hashable, Sendable {
    case active
    case ended
    case dismissed
}

package struct CardReport: Hashable, Sendable {
    package var activity: ActivityID
    package var state: ReportedState
    package var sequence: Int64?

    package init(activity: ActivityID, state: ReportedState, sequence: Int64?) {
        self.activity = activity
        self.state = state
        self.sequence = sequence
    }
}

/// One card in the app's list of what is running.
package struct ListedCard: Hashable, Sendable {
    package var activity: ActivityID
    package var incarnation: Int?
    package var state: ReportedState

    package init(activity: ActivityID, incarnation: Int?, state: ReportedState) {
        self.activity = activity
        self.incarnation = incarnation
        self.state = state
    }
}

/// APNs took a push.
package struct PushAccepted: Hashable, Sendable {
    package var device: DeviceID
    package var incarnation: Int
    package var verb: Verb
    /// Revision of the intention that was sent.
    package var revision: Int
    package var priority: Int
    package var alerts: Alerts
    package var shown: Shown

    package init(
        device: DeviceID,
        incarnation: Int,
        verb: Verb,
        revision: Int,
        priority: Int,
        alerts: Alerts,
        shown: Shown
    ) {
        self.priority = priority
        self.device = device
        self.incarnation = incarnation
        self.verb = verb
        self.revision = revision
        self.alerts = alerts
        self.shown = shown
    }
}

/// What APNs' refusal asks for, worked out from its reason where the reason is known.
package enum RefusalRemedy: String, Hashable, Sendable {
    /// 410: the token is dead.
    case forgetToken
    /// Try again later with the newest state.
    case retry
    /// Never offer this again.
    case drop
}

package struct PushRefused: Hashable, Sendable {
    package var device: DeviceID
    package var incarnation: Int
    package var verb: Verb
    package var revision: Int
    package var generation: Int
    package var stamp: Int64
    package var remedy: RefusalRemedy
    /// It certainly never reached APNs: no connection, or no stream.
    package var neverLeft: Bool
    /// Apple's time of death of the token, with a 410.
    package var deadSince: Instant?
    package var digest: UInt64

    package init(
        device: DeviceID,
        incarnation: Int,
        verb: Verb,
        revision: Int,
        generation: Int,
        stamp: Int64,
        remedy: RefusalRemedy,
        neverLeft: Bool,
        deadSince: Instant?,
        digest: UInt64
    ) {
        self.device = device
        self.incarnation = incarnation
        self.verb = verb
        self.revision = revision
        self.generation = generation
        self.stamp = stamp
        self.remedy = remedy
        self.neverLeft = neverLeft
        self.deadSince = deadSince
        self.digest = digest
    }
}

/// The answer never came: APNs may or may not have taken it.
package struct PushLost: Hashable, Sendable {
    package var device: DeviceID
    package var incarnation: Int
    package var verb: Verb
    package var revision: Int
    package var stamp: Int64
    package var priority: Int
    package var alerts: Alerts

    package init(
        device: DeviceID,
        incarnation: Int,
        verb: Verb,
        revision: Int,
        stamp: Int64,
        priority: Int,
        alerts: Alerts
    ) {
        self.priority = priority
        self.device = device
        self.incarnation = incarnation
        self.verb = verb
        self.revision = revision
        self.stamp = stamp
        self.alerts = alerts
    }
}

/// A timer of a card, or of the order itself (`device` nil, incarnation 0), rang.
package struct TimerRang: Hashable, Sendable {
    package var device: DeviceID?
    package var incarnation: Int
    package var kind: TimerKind
    package var generation: Int
    /// Receive time of the fact.
    package var at: Instant

    package init(device: DeviceID?, incarnation: Int, kind: TimerKind, generation: Int, at: Instant) {
        self.device = device
        self.incarnation = incarnation
        self.kind = kind
        self.generation = generation
        self.at = at
    }
}

/// A customer's request that the partner has not answered: part of what a card shows, never the phase.
package struct PendingCommand: Hashable, Sendable {
    package var id: String
    package var command: String

    package init(id: String, command: String) {
        self.id = id
        self.command = command
    }
}
