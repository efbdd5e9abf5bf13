/// The words of Doorstep's own facts. They are stored: a word never changes its meaning.
package enum FactType {
    // Order stream
    package static let orderLinked = "order.linked"
    package static let linkAnswered = "link.answered"
    package static let deviceAvailable = "device.available"
    package static let deviceGone = "device.gone"
    package static let startGranted = "start.granted"
    package static let startRefused = "start.refused"
    package static let startFree = "start.free"
    package static let farewellAtRisk = "card.farewell_at_risk"
    package static let cardsListed = "cards.listed"
    package static let activityAsked = "activity.asked"
    package static let activityScheduled = "activity.scheduled"
    package static let activityRegistered = "activity.registered"
    package static let activityReported = "activity.reported"
    package static let startClaimed = "push.start_claimed"
    package static let pushAccepted = "push.accepted"
    package static let pushRefused = "push.refused"
    package static let pushLost = "push.lost"
    package static let channelOpened = "channel.opened"
    package static let channelClosed = "channel.closed"
    package static let timerRang = "timer.rang"
    package static let tokenLost = "token.lost"
    package static let courierSeen = "courier.seen"
    package static let commandRequested = "command.requested"
    // Device stream
    package static let deviceRegistered = "device.registered"
    package static let deviceLoggedOut = "device.logged_out"
    package static let deviceRunning = "device.running"
    package static let startRequested = "start.requested"
    package static let startAnswered = "start.answered"
    package static let cardLive = "card.live"
    package static let cardEnded = "card.ended"
    package static let ledgerMoved = "ledger.moved"
    package static let deviceTokenDied = "device_token.died"
    // Customer stream
    package static let linkOpened = "link.opened"
    package static let linkClosed = "link.closed"
    package static let deviceJoined = "device.joined"
    package static let deviceChanged = "device.changed"
    package static let deviceLeft = "device.left"
    // Token stream
    package static let tokenClaimed = "token.claimed"
    package static let tokenReleased = "token.released"
    package static let tokenDied = "token.died"
}

/// Names of the sources of Doorstep's own facts; partners may not use the prefix.
package enum OwnSource: String, Sendable, CaseIterable {
    case api = "doorstep/api"
    case device = "doorstep/device"
    case push = "doorstep/push"
    case relay = "doorstep/relay"
    case timer = "doorstep/timer"
    case staff = "doorstep/staff"

    package static let prefix = "doorstep/"
}
