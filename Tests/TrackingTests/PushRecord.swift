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
    /// Alerts that may repeat once because an answer was lost.
    private(set) var lostAlerts: [CardKey: Alerts] = [:]
    private(set) var accepted: [Push] = []

    mutating func claimed(_ push: Push) {
        #expect(push.stamp > stamps[push.card] ?? .min, "timestamps strictly increase")
        stamps[push.card] = push.stamp
        #expect(push.intention.verb == .end || !ended.contains(push.card), "nothing but an end after an end")
        #expect(push.intention.staleAfter >= .seconds(30), "no stale date in the past")
        #expect(push.intention.expiresAfter <= push.intention.staleAfter, "nothing is stored longer than it is true")
        if push.intention.verb == .start {
            let allowed = missing.contains(push.card) ? 1 : 0
            #expect(starts[push.card, default: 0] <= allowed, "one start per incarnation")
        }
    }

    /// It reached APNs, or may have.
    mutating func settled(_ push: Push, isLost: Bool) {
        if isLost { lostAlerts[push.card, default: []].formUnion(push.intention.alerts) } else { accepted.append(push) }
        switch push.intention.verb {
        case .start: starts[push.card, default: 0] += 1
        case .update: break
        case .end: ended.insert(push.card)
        }
    }

    /// Notes which cards a running list cleared.
    mutating func saw(before: OrderStream?, after: OrderStream) {
        for card in before?.activities ?? [] where card.state == .maybeStarted {
            let now = after.activities.first { $0.device == card.device && $0.incarnation == card.incarnation }
            guard now?.state == ActivityState.none else { continue }
            missing.insert(CardKey(order: after.id, device: card.device, incarnation: card.incarnation))
        }
    }
}
