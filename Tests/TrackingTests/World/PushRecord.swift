import Testing
import Tracking

/// Everything that left for APNs, checked as it happens.
struct PushRecord {
    private var stamps: [CardKey: Int64] = [:]
    /// Starts that may have reached APNs.
    private var starts: [CardKey: Int] = [:]
    /// The app said that a start whose answer was lost left no card: one more is allowed.
    private var missing: Set<CardKey> = []
    private var ended: Set<CardKey> = []
    /// Cards that the person swiped away, by order and device: no push starts another.
    private var dismissed: Set<CardKey> = []
    /// Alerts that may repeat once because an answer was lost.
    private(set) var lostAlerts: [CardKey: Alerts] = [:]
    /// What ordinary alerts told, or may have told.
    private var toldByAlert: [CardKey: Alerts] = [:]
    private(set) var accepted: [Push] = []

    /// A push leaves; answers with what must not be.
    mutating func claimed(_ push: Push) -> [String] {
        var wrong: [String] = []
        func require(_ holds: Bool, _ words: String) { if !holds { wrong.append("\(push.card.words): \(words)") } }
        let intention = push.intention
        if intention.verb.isOfChannel { return wrong }
        require(push.stamp > stamps[push.card] ?? .min, "timestamps strictly increase")
        stamps[push.card] = push.stamp
        let isBroadcast = push.incarnation == Channel.incarnation
        require(isBroadcast || intention.verb == .end || !ended.contains(push.card), "nothing but an end after an end")
        require(
            intention.staleAfter >= Intention.staleFloor(priority: intention.priority),
            "no stale date in the past or too near"
        )
        require(intention.expiresAfter <= intention.staleAfter, "nothing is stored longer than it is true")
        require(intention.priority == 10 || intention.priority == 5, "APNs knows two priorities")
        if intention.verb == .start {
            let allowed = missing.contains(push.card) ? 1 : 0
            require(starts[push.card, default: 0] <= allowed, "one start per incarnation")
            let card = CardKey(order: push.order, device: push.device, incarnation: 0)
            require(!dismissed.contains(card), "a dismissed card never returns by push")
        }
        return wrong
    }

    /// An ordinary alert leaves (rule 14); answers with what must not be.
    func claimedAlert(_ push: Push, of stream: OrderStream) -> [String] {
        var wrong: [String] = []
        func require(_ holds: Bool, _ words: String) { if !holds { wrong.append("\(push.card.words): \(words)") } }
        let (intention, device) = (push.intention, push.device)
        require(intention.verb == .alert && intention.priority == 10, "an alert is an alert")
        require(
            intention.alerts.isEmpty || intention.alerts == .courierWaiting || intention.alerts == .cancelled,
            "an alert tells of a waiting courier or a cancellation"
        )
        require(intention.content.phase == stream.order.phase, "an alert tells of the present phase")
        require(
            !dismissed.contains(CardKey(order: push.order, device: device, incarnation: 0)),
            "no alert after a card was dismissed"
        )
        let told = toldByAlert[push.card] ?? []
        require(told.isDisjoint(with: intention.alerts), "one alert per phase and device")
        let isShown = stream.activities.contains {
            $0.device == device && $0.shown?.phase == intention.content.phase
        }
        require(!isShown, "no alert while a card shows it")
        return wrong
    }

    /// It reached APNs, or may have.
    mutating func settled(_ push: Push, isLost: Bool) {
        if isLost { lostAlerts[push.card, default: []].formUnion(push.intention.alerts) } else { accepted.append(push) }
        switch push.intention.verb {
        case .start: starts[push.card, default: 0] += 1
        case .update, .openChannel, .closeChannel: break
        case .alert: toldByAlert[push.card, default: []].formUnion(push.intention.alerts)
        case .end: ended.insert(push.card)
        }
    }

    /// Notes which cards a running list cleared and which were dismissed; answers with what must not be.
    mutating func saw(before: OrderStream?, after: OrderStream) -> [String] {
        var wrong: [String] = []
        for card in before?.activities ?? [] {
            let now = after.activities.first { $0.device == card.device && $0.incarnation == card.incarnation }
            let key = CardKey(order: after.id, device: card.device, incarnation: card.incarnation)
            if card.state == .maybeStarted, now?.state == ActivityState.none { missing.insert(key) }
            if card.state == .dismissed, now?.state != .dismissed {
                wrong.append("\(key.words): dismissed is for ever")
            }
        }
        for card in after.activities where card.state == .dismissed {
            dismissed.insert(CardKey(order: after.id, device: card.device, incarnation: 0))
        }
        return wrong
    }
}
