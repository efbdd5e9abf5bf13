import Tracking

/// A phone with the app on it, as far as pushes and reports go.
struct Phone {
    struct Card {
        let id: ActivityID
        let order: OrderID
        /// What the attributes say; nil for a card that the app started itself.
        let incarnation: Int?
        var token: Int
        /// What it listens to instead.
        var channel: ChannelID?
        let startedAt: Instant
        var digest: UInt64?
        var eta: Instant?
        var isLate = false
        var phase: Phase?
        var isStale = false
        /// When the system greys it.
        var staleAt: Instant?
        var stamp: Int64 = 0
        var isRegistered = false
        var hasEnded = false
        var isDismissed = false
        var rings: [UInt8: Int] = [:]

        var isRunning: Bool { !hasEnded && !isDismissed }

        mutating func show(_ push: Push, at now: Instant) {
            isStale = push.intention.content.isStale
            staleAt = now + push.intention.staleAfter
            digest = push.intention.content.digest
            eta = push.intention.content.eta
            isLate = push.intention.content.isLate
            phase = push.intention.content.phase
            stamp = push.stamp
            ring(push.intention.alerts)
        }

        private mutating func ring(_ alerts: Alerts) {
            for kind in [Alerts.start, .courierWaiting, .cancelled, .attemptFailed] where alerts.contains(kind) {
                rings[kind.rawValue, default: 0] += 1
            }
        }
    }

    let id: DeviceID
    var owner: CustomerID?
    /// The switch for Live Activities in Settings.
    var isEnabled = true
    /// The person's leave for frequent updates.
    var isFrequent = false
    /// The person's leave for notifications.
    var allowsNotifications = true
    var startToken = 1
    var startTokenSince: Instant
    var deviceToken = 1
    var deviceTokenSince: Instant?
    /// Ordinary alerts that were shown.
    var alerts: [OrderID: [Alerts]] = [:]
    var sequence: Int64 = 0
    var cards: [Card] = []
    /// Update tokens that iOS replaced, and when.
    var replaced: [Int: Instant] = [:]

    /// The system removes cards that grew old.
    mutating func passTime(to now: Instant) {
        for index in cards.indices where cards[index].startedAt + .seconds(12 * 3600) <= now {
            cards[index].hasEnded = true
        }
    }

    mutating func nextSequence() -> Int64 {
        sequence += 1
        return sequence
    }

    /// A push arrives; what ActivityKit does with it.
    mutating func receive(_ push: Push, at now: Instant, newCard: ActivityID, newToken: Int) {
        switch push.intention.verb {
        case .start:
            guard isEnabled else { return }
            var card = Card(
                id: newCard,
                order: push.order,
                incarnation: push.incarnation,
                token: newToken,
                channel: push.intention.channel,
                startedAt: now
            )
            card.show(push, at: now)
            cards.append(card)
        case .update, .end:
            guard let index = cards.firstIndex(where: { $0.token == push.token && $0.channel == nil }) else { return }
            guard cards[index].isRunning, push.stamp > cards[index].stamp else { return }
            cards[index].show(push, at: now)
            if push.intention.verb == .end { cards[index].hasEnded = true }
        case .openChannel, .closeChannel:
            break
        case .alert:
            if allowsNotifications { alerts[push.order, default: []].append(push.intention.alerts) }
        }
    }

    /// A channel tells all cards that listen.
    mutating func hear(_ push: Push, at now: Instant) {
        for index in cards.indices where cards[index].channel == push.intention.channel && cards[index].isRunning {
            guard push.stamp > cards[index].stamp else { continue }
            cards[index].show(push, at: now)
            if push.intention.verb == .end { cards[index].hasEnded = true }
        }
    }

    /// Whether APNs knows the token as dead, and since when.
    func deadSince(_ push: Push) -> (isDead: Bool, since: Instant?) {
        if push.intention.verb == .start { return (push.token != startToken, startTokenSince) }
        if push.intention.verb == .alert { return (push.token != deviceToken, deviceTokenSince) }
        if cards.contains(where: { $0.token == push.token }) { return (false, nil) }
        return (true, replaced[push.token])
    }
}

/// A push that was claimed and is on its way.
struct Push {
    let order: OrderID
    let device: DeviceID
    let incarnation: Int
    let intention: Intention
    let token: Int
    let generation: Int
    let stamp: Int64

    var card: CardKey { CardKey(order: order, device: device, incarnation: incarnation) }
}

struct CardKey: Hashable {
    let order: OrderID
    let device: DeviceID
    let incarnation: Int

    static func channel(of order: OrderID) -> CardKey {
        CardKey(order: order, device: Channel.device, incarnation: Channel.incarnation)
    }

    var words: String { "order \(order.value) \(device.value)/\(incarnation)" }
}
