import Tracking

/// A phone with the app on it, as far as pushes and reports go.
struct Phone {
    struct Card {
        let id: ActivityID
        let order: OrderID
        /// What the attributes say; nil for a card that the app started itself.
        let incarnation: Int?
        var token: Int
        var digest: UInt64?
        var eta: Instant?
        var phase: Phase?
        var stamp: Int64 = 0
        var isRegistered = false
        var hasEnded = false
        var isDismissed = false
        var rings: [UInt8: Int] = [:]

        var isRunning: Bool { !hasEnded && !isDismissed }

        mutating func show(_ push: Push) {
            digest = push.intention.content.digest
            eta = push.intention.content.eta
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
    var startToken = 1
    var startTokenSince: Instant
    var sequence: Int64 = 0
    var cards: [Card] = []
    /// Update tokens that iOS replaced, and when.
    var replaced: [Int: Instant] = [:]

    mutating func nextSequence() -> Int64 {
        sequence += 1
        return sequence
    }

    /// A push arrives; what ActivityKit does with it.
    mutating func receive(_ push: Push, newCard: ActivityID, newToken: Int) {
        switch push.intention.verb {
        case .start:
            guard isEnabled else { return }
            var card = Card(id: newCard, order: push.order, incarnation: push.incarnation, token: newToken)
            card.show(push)
            cards.append(card)
        case .update, .end:
            guard let index = cards.firstIndex(where: { $0.token == push.token }) else { return }
            guard cards[index].isRunning, push.stamp > cards[index].stamp else { return }
            cards[index].show(push)
            if push.intention.verb == .end { cards[index].hasEnded = true }
        }
    }

    /// Whether APNs knows the token as dead, and since when.
    func deadSince(_ push: Push) -> (isDead: Bool, since: Instant?) {
        if push.intention.verb == .start { return (push.token != startToken, startTokenSince) }
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
}
