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

    mutating func settled(_ push: Push, _ outcome: OrderStreamFact) {
        switch outcome {
        case .pushAccepted:
            accepted.append(push)
            if push.intention.verb == .start { starts[push.card, default: 0] += 1 }
            if push.intention.verb == .end { ended.insert(push.card) }
        case .pushLost:
            if push.intention.verb == .start { starts[push.card, default: 0] += 1 }
            if push.intention.verb == .end { ended.insert(push.card) }
            lostAlerts[push.card, default: []].formUnion(push.intention.alerts)
        case .pushRefused, .partner, .linked, .linkAnswered, .deviceAvailable, .deviceGone, .startGranted,
            .startRefused, .startFree, .registered, .reported, .cardsListed, .startClaimed, .other:
            break
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
