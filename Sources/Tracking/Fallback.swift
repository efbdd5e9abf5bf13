/// The ordinary alert that tells a phone what no card of the order tells it (engine rules, rule 14). There is one for each
/// device of an order, however many cards that has had.
package struct Fallback: Hashable, Sendable {
    /// In slots, decisions and facts it stands where a card's incarnation would; cards count from 1.
    package static let incarnation = 0

    package internal(set) var intention: Intention?
    /// Highest intention revision used.
    package internal(set) var lastRevision = 0
    /// What APNs took: a card that can be reached later shows it without a sound.
    package internal(set) var told: Alerts = []
    /// What may have been told, or was refused for good: it is not offered again.
    package internal(set) var givenUp: Alerts = []
    /// Failed attempts since the last answer that settled something, and when the newest failed.
    package internal(set) var attempts = 0
    package internal(set) var failedAt: Instant?

    package init() {}

    /// Nothing was ever wanted of it.
    var isBlank: Bool { self == Fallback() }

    func isPending(at now: Instant) -> Bool { intention?.dueAt.map { $0 <= now + .seconds(2) } ?? false }
}

/// What APNs said, folded.
extension Fallback {
    mutating func accepted(_ push: PushAccepted) {
        told.formUnion(push.alerts)
        settle(push.revision)
    }

    mutating func refused(_ push: PushRefused, now: Instant) {
        switch push.remedy {
        case .retry, .forgetToken:
            attempts += 1
            failedAt = now
        case .drop:
            guard let intention, intention.revision == push.revision else { return }
            givenUp.formUnion(intention.alerts)
            settle(push.revision)
        }
    }

    /// The person may have heard it, and would not want to hear it twice. Where the claim was found by its slot, the alerts
    /// are those of a newer intention that replaced it: those are still owed.
    mutating func lost(_ push: PushLost) {
        let isWanted = intention?.revision == push.revision
        givenUp.formUnion(isWanted ? push.alerts : push.alerts.subtracting(intention?.alerts ?? []))
        settle(push.revision)
    }

    private mutating func settle(_ revision: Int) {
        attempts = 0
        failedAt = nil
        if intention?.revision == revision { intention = nil }
    }
}

extension Alerts {
    /// What an ordinary alert may tell of a phase; nil: nothing.
    static func fallback(_ phase: Phase) -> Alerts? {
        switch phase {
        case .courierWaiting: .courierWaiting
        case .cancelled: .cancelled
        case .placed, .accepted, .onTheWay, .delivered, .failed, .returned: nil
        }
    }
}
