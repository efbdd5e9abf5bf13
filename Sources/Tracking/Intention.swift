/// What a push does to a card. The caller of the API never says it; the engine works it out.
package enum Verb: UInt8, Hashable, Sendable {
    case start = 0x73
    case update = 0x75
    case end = 0x65
    /// An ordinary alert, in the place of a card that does not tell (rule 14).
    case alert = 0x61
    /// To make a broadcast channel, and to delete it (rule 16).
    case openChannel = 0x6F
    case closeChannel = 0x78

    package var name: String {
        switch self {
        case .start: "start"
        case .update: "update"
        case .end: "end"
        case .alert: "alert"
        case .openChannel: "openChannel"
        case .closeChannel: "closeChannel"
        }
    }

    package init?(name: String) {
        switch name {
        case "start": self = .start
        case "update": self = .update
        case "end": self = .end
        case "alert": self = .alert
        case "openChannel": self = .openChannel
        case "closeChannel": self = .closeChannel
        default: return nil
        }
    }

    /// Asked of APNs for the channel itself: no phone is told anything.
    package var isOfChannel: Bool {
        switch self {
        case .openChannel, .closeChannel: true
        case .start, .update, .end, .alert: false
        }
    }
}

/// The kinds of alert; each sounds once per incarnation.
package struct Alerts: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let start = Alerts(rawValue: 1)
    package static let courierWaiting = Alerts(rawValue: 2)
    package static let cancelled = Alerts(rawValue: 4)
    package static let attemptFailed = Alerts(rawValue: 8)

    /// These may repeat, once, after an answer was lost (engine rules, section 1).
    package static let repeatable: Alerts = [.courierWaiting, .cancelled]
}

/// The newest thing a card should show, with what is still owed: one per card, replaced by newer state, obligations
/// merged. Durations are turned into dates when the push is sent.
package struct Intention: Hashable, Sendable {
    /// Counts the card's intentions; an outcome settles only the revision it carried.
    package var revision: Int
    package var verb: Verb
    /// APNs priority, 5 or 10 (contract 5.1).
    package var priority: Int
    package var alerts: Alerts
    /// When the alerts are too old to sound; nil: never.
    package var alertsUntil: Instant?
    package var content: Content
    package var attributes: CardAttributes
    /// Revision of the order that the content shows, and when its newest fact was received.
    package var orderRevision: Int
    package var asOf: Instant
    /// When it may go out; nil: it waits for a token.
    package var dueAt: Instant?
    /// From `dueAt`, or from the moment of deciding where it is nil.
    package var staleAfter: Duration
    package var expiresAfter: Duration
    /// After an end: how long the card stays. Zero removes it at once.
    package var dismissAfter: Duration?
    package var reason: Reason
    /// What the sender needs to know of the device.
    package var settings: DeviceSettings
    /// The channel that a start names, or that everything else is sent to.
    package var channel: ChannelID?

    package init(
        revision: Int,
        verb: Verb,
        priority: Int,
        alerts: Alerts,
        alertsUntil: Instant? = nil,
        content: Content,
        attributes: CardAttributes,
        orderRevision: Int,
        asOf: Instant,
        dueAt: Instant?,
        staleAfter: Duration,
        expiresAfter: Duration,
        dismissAfter: Duration?,
        reason: Reason,
        settings: DeviceSettings,
        channel: ChannelID? = nil
    ) {
        self.revision = revision
        self.verb = verb
        self.priority = priority
        self.alerts = alerts
        self.alertsUntil = alertsUntil
        self.content = content
        self.attributes = attributes
        self.orderRevision = orderRevision
        self.asOf = asOf
        self.dueAt = dueAt
        self.staleAfter = staleAfter
        self.expiresAfter = expiresAfter
        self.dismissAfter = dismissAfter
        self.reason = reason
        self.settings = settings
        self.channel = channel
    }
}

extension Intention {
    /// The least a stale date lies ahead of a push: one that is past makes the card invisible (field case P58), and a
    /// push of priority 5 may be under way for a while.
    package static func staleFloor(priority: Int) -> Duration { .seconds(priority == 10 ? 30 : 120) }

    /// As it may leave at `now`, however long it waited: without alerts that are too old, and with a stale date no later
    /// than was promised.
    package func leaving(at now: Instant) -> Intention {
        var leaving = self
        if let alertsUntil, alertsUntil < now { leaving.alerts = [] }
        if let dueAt, dueAt < now {
            leaving.staleAfter = max(staleAfter - (now - dueAt), Self.staleFloor(priority: priority))
            leaving.expiresAfter = min(expiresAfter, leaving.staleAfter)
        }
        return leaving
    }
}
