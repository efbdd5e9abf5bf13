/// Why a card ended.
package enum EndReason: String, Hashable, Sendable, CaseIterable {
    case delivered
    case cancelled
    case failed
    case returned
    case lifetime
    case deadline
    case disabled
    case setting
    case duplicate
    case owner
    case optOut
    case rollover
    case staff
    case unconfirmed
    case unknown

    init(_ phase: Phase) {
        switch phase {
        case .placed, .accepted, .onTheWay, .courierWaiting: self = .unknown
        case .delivered: self = .delivered
        case .cancelled: self = .cancelled
        case .failed: self = .failed
        case .returned: self = .returned
        }
    }

    /// The card goes while its order goes on, and shows how far it came.
    var isOfAge: Bool { self == .lifetime || self == .deadline }

    /// The order's own end, which `order.reopened` and `event.voided` can undo.
    var isOfOrder: Bool {
        switch self {
        case .delivered, .cancelled, .failed, .returned: true
        case .lifetime, .deadline, .disabled, .setting, .duplicate, .owner, .optOut, .rollover, .staff, .unconfirmed,
            .unknown:
            false
        }
    }

    /// The system removed the card itself: there is nothing left to end.
    var endsByItself: Bool { self == .disabled || self == .setting }

    /// Whether another card may follow while the order goes on (engine rules, section 4).
    var allowsNextCard: Bool {
        switch self {
        case .delivered, .cancelled, .failed, .returned, .disabled, .owner, .rollover: true
        case .lifetime, .deadline, .setting, .duplicate, .optOut, .staff, .unconfirmed, .unknown: false
        }
    }
}

/// The life of one Live Activity: (order, device, incarnation).
package enum ActivityState: Hashable, Sendable {
    /// Nothing on the phone. Leaves on an accepted start to `starting`, on a lost answer to `maybeStarted`, on the
    /// app's registration to `live`; an order that ends first leaves it here for good.
    case none
    /// Start accepted, update token awaited. Leaves on the token to `live`, on the order's end to `ending`.
    case starting
    /// The answer to a start was lost. Leaves on registration to `live`, on a running list without it to `none`.
    case maybeStarted
    /// An update token is known. Leaves on an accepted end or a report to `ended`, on a swipe to `dismissed`, on 410 to
    /// `unreachable`.
    case live
    /// Started with a channel, which tells it what to show. Leaves on the channel's end or a report to `ended`, on a swipe
    /// to `dismissed`; where the channel is lost to `unreachable`.
    case liveOnChannel
    /// The app runs it without a token. Leaves on a token to `live`, on a report.
    case localOnly
    /// The order is final and the end waits for a token or for its acceptance. Leaves to `ended`.
    case ending
    /// The token is dead. Leaves on a new token to `live`, or to `ending` when the order is final.
    case unreachable
    /// The person swiped it away. Never left.
    case dismissed
    /// Over. Only a new incarnation follows.
    case ended(EndReason)

    /// The name shown in interfaces and metrics.
    package var name: String {
        switch self {
        case .none: "none"
        case .starting: "starting"
        case .maybeStarted: "maybeStarted"
        case .live: "live"
        case .liveOnChannel: "liveOnChannel"
        case .localOnly: "localOnly"
        case .ending: "ending"
        case .unreachable: "unreachable"
        case .dismissed: "dismissed"
        case .ended: "ended"
        }
    }

    package var isOver: Bool {
        switch self {
        case .dismissed, .ended: true
        case .none, .starting, .maybeStarted, .live, .liveOnChannel, .localOnly, .ending, .unreachable: false
        }
    }
}

/// Whether the device stream allows this card to be started by push.
package enum Grant: Hashable, Sendable {
    /// Not asked. Leaves by asking to `requested`.
    case none
    /// Asked, not answered. Leaves on the answer.
    case requested
    /// Allowed. Left when the start settles.
    case granted
    /// Refused until then; nil: until the device says that a place is free.
    case refused(until: Instant?)
}

/// Whether an accepted end is said once more: APNs keeps one push per app and phone, so another card's push may have
/// replaced it (engine rules, rule 7).
package enum Farewell: UInt8, Hashable, Sendable {
    /// No end of ours was accepted. Leaves on one to `said`.
    case none = 0
    /// Accepted. Leaves to `atRisk` when the device had another card, to `over` on the app's report.
    case said = 1
    /// To be repeated. Leaves to `over` when the repeat is accepted or refused for good, or on the app's report.
    case atRisk = 2
    /// Nothing more to say. Never left.
    case over = 3
}

/// Which side made the card.
package enum CardOrigin: UInt8, Hashable, Sendable {
    case server = 0
    case app = 1
}

/// What the phone is known to show: the last push that APNs accepted.
package struct Shown: Hashable, Sendable {
    package var digest: UInt64
    package var phase: Phase
    package var eta: Instant?
    package var isLate: Bool
    package var isStale: Bool
    package var orderRevision: Int
    /// The payload's timestamp, in whole seconds.
    package var stamp: Int64
    package var at: Instant
    /// When the system greys the card.
    package var staleAt: Instant

    package init(
        _ content: Content,
        orderRevision: Int,
        stamp: Int64,
        at: Instant,
        staleAt: Instant
    ) {
        self.init(
            digest: content.digest,
            phase: content.phase,
            eta: content.eta,
            isLate: content.isLate,
            isStale: content.isStale,
            orderRevision: orderRevision,
            stamp: stamp,
            at: at,
            staleAt: staleAt
        )
    }

    package init(
        digest: UInt64,
        phase: Phase,
        eta: Instant?,
        isLate: Bool,
        isStale: Bool,
        orderRevision: Int,
        stamp: Int64,
        at: Instant,
        staleAt: Instant
    ) {
        self.digest = digest
        self.phase = phase
        self.eta = eta
        self.isLate = isLate
        self.isStale = isStale
        self.orderRevision = orderRevision
        self.stamp = stamp
        self.at = at
        self.staleAt = staleAt
    }
}

/// One card with everything that decides its next push.
package struct Activity: Hashable, Sendable {
    package let device: DeviceID
    package let incarnation: Int
    package internal(set) var state = ActivityState.none
    package internal(set) var origin = CardOrigin.server
    package internal(set) var activityID: ActivityID?
    package internal(set) var grant = Grant.none
    /// Counts update tokens; 0: none yet.
    package internal(set) var tokenGeneration = 0
    package internal(set) var tokenAt: Instant?
    /// The update token's name, where the registration gave one.
    package internal(set) var updateToken: HeldToken?
    /// When the newest start was claimed.
    package internal(set) var claimedAt: Instant?
    /// When the card's life began, as far as we know.
    package internal(set) var startedAt: Instant?
    package internal(set) var shown: Shown?
    /// The newest intention; every decision hands it on.
    var slot: Shared<Intention>?
    package internal(set) var intention: Intention? {
        get { slot?.value }
        set { slot = newValue.map { Shared($0) } }
    }
    /// Highest intention revision used.
    package internal(set) var lastRevision = 0
    /// Highest payload timestamp used, in whole seconds.
    package internal(set) var lastStamp: Int64 = 0
    /// Starts that were claimed and those that were answered; a difference is a start in flight.
    package internal(set) var startClaims = 0
    package internal(set) var startAnswers = 0
    /// Starts that certainly never reached APNs; they do not count against the one repeat.
    package internal(set) var startsUnsent = 0
    /// Alerts that sounded, and those that were repeated after a lost answer.
    package internal(set) var rang: Alerts = []
    package internal(set) var repeated: Alerts = []
    /// Content that APNs refused for good; it is not offered again.
    package internal(set) var refusedDigest: UInt64?
    /// Newest sequence of the app's reports on this card.
    package internal(set) var sequence: Int64 = -1
    /// When the app last registered this card.
    package internal(set) var registeredAt: Instant?
    /// When the last accepted push left, and the last that moved the arrival time, for spacing.
    package internal(set) var lastSentAt: Instant?
    package internal(set) var etaSentAt: Instant?
    /// When pushes of priority 10 left in the last hour.
    package internal(set) var urgentSentAt: [Instant] = []
    /// The start may not leave before: the device's other starts come first.
    package internal(set) var grantedFrom: Instant?
    /// The update token did not come in time.
    package internal(set) var tokenIsLate = false
    /// The next card may start: this one's life is nearly over.
    package internal(set) var rollsOver = false
    /// APNs called the update token dead.
    package internal(set) var tokenDied = false
    /// Whether an accepted end must be said once more.
    package internal(set) var farewell = Farewell.none
    /// Failed attempts since the last accepted push, and when the newest failed.
    package internal(set) var attempts = 0
    package internal(set) var failedAt: Instant?
    /// How the newest start turned out.
    package internal(set) var startResult: StartResult?
    /// Apple's time of death of the start token, after a 410.
    package internal(set) var startTokenDeadSince: Instant?
    /// When the app asked to start the card itself; a push start waits for it a while.
    package internal(set) var askedAt: Instant?
    /// Set when the card must go although the order goes on, or when an end may have reached it: it stays ended then.
    package internal(set) var mustEnd: EndReason?
    /// What was last known of the device; a card that ends after its owner left still needs it.
    package internal(set) var settings: DeviceSettings?
    /// The channel that its start named.
    package internal(set) var channel: ChannelID?
    package internal(set) var alarm = Alarm()
    /// The newest decision's reason, for those who ask why.
    package internal(set) var reason = Reason.beforeStartPhase

    package init(device: DeviceID, incarnation: Int) {
        self.device = device
        self.incarnation = incarnation
    }

    /// Something may be on the phone.
    var isOnPhone: Bool {
        switch state {
        case .starting, .maybeStarted, .live, .liveOnChannel, .localOnly, .ending, .unreachable: true
        case .none, .dismissed, .ended: false
        }
    }

    package var startInFlight: Bool { startClaims > startAnswers }
    var hasToken: Bool { tokenGeneration > 0 && state != .unreachable }
}
