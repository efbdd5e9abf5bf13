/// What the phones showed, counted.
package struct PhoneFigures: Hashable, Sendable {
    /// Pairs of order and phone.
    package var activities = 0
    /// Pairs with a card.
    package var started = 0
    /// Pairs without one, by reason.
    package var notStarted: [NotStarted: Int] = [:]
    package var ended = 0
    package var live = 0
    /// Cards that do not show their order's final state as ended.
    package var wrongFinalState = 0
    /// Cards beyond one per pair and incarnation.
    package var duplicateCards = 0
    /// Updates accepted after an accepted end of the same card.
    package var updatesAfterEnd = 0
    /// Accepted pushes whose timestamp is not above the card's last.
    package var timestampRegressions = 0
    package var oversizedPayloads = 0
    package var undecodable = 0

    /// Why a pair has no card.
    package enum NotStarted: String, Sendable, CaseIterable {
        case finishedBeforeStart
        case refusedByDevice
        case tooOld
        case noToken
        case switchedOff
        case startRefused
        case maybeStarted
        case other

        /// From the reason of the newest decision. Without one the phone came to know of the order, if ever, when that
        /// was over.
        init(decision reason: String?, phase: String?) {
            switch reason {
            case nil where phase.map(PhoneFigures.finalPhases.contains) ?? false: self = .finishedBeforeStart
            case "finishedBeforeStart": self = .finishedBeforeStart
            case "refusedByDevice": self = .refusedByDevice
            case "tooOld": self = .tooOld
            case "noStartToken": self = .noToken
            case "switchedOff", "activitiesDisabled": self = .switchedOff
            case "startRefused", "refusedForGood": self = .startRefused
            case "answerLost", "startInFlight": self = .maybeStarted
            case .some, nil: self = .other
            }
        }
    }

    package init() {}

    /// Any of these is a mistake of Doorstep's.
    package var mistakes: Int {
        wrongFinalState + duplicateCards + updatesAfterEnd + timestampRegressions + oversizedPayloads + undecodable
    }
}

extension PhoneFigures {
    static let finalPhases: Set<String> = ["delivered", "cancelled", "failed", "returned"]
    /// Verdicts of a phone that could not make sense of a payload.
    private static let undecodable: Set<String> = [
        "malformed", "unknownAttributesType", "attributesUndecodable", "stateUndecodable",
    ]
    private static let payloadLimit = 4096

    /// Counts the cards of one pair against the phase its order ended in.
    mutating func add(_ pair: PairCards, phase: String?) {
        guard !pair.cards.isEmpty else { return }
        started += 1
        ended += pair.cards.count(where: \.isEnded)
        live += pair.cards.count { !$0.isEnded }
        duplicateCards += pair.cards.count - Set(pair.cards.map(\.incarnation)).count
        guard let phase, Self.finalPhases.contains(phase) else { return }
        // Earlier incarnations ended for reasons of their own and show what was true then.
        let newest = pair.cards.map { $0.incarnation ?? 0 }.max()
        wrongFinalState += pair.cards.count {
            ($0.incarnation ?? 0) == newest && !($0.isEnded && Self.isFinal($0.phase, of: phase))
        }
    }

    /// An order that failed may still be returned; its card ended when it failed and is not touched again.
    private static func isFinal(_ shown: String?, of phase: String) -> Bool {
        shown == phase || phase == "returned" && shown == "failed"
    }

    /// Checks the pushes of one pair, in order of arrival.
    mutating func add(_ pushes: [PushRecord]) {
        var newest: [Int64: Int64] = [:]
        var over: Set<Int64> = []
        for push in pushes {
            if push.bytes > Self.payloadLimit || push.status == 413 || push.why == "tooLarge" { oversizedPayloads += 1 }
            if let why = push.why, Self.undecodable.contains(why) { undecodable += 1 }
            guard push.isAccepted, push.order != nil else { continue }
            let card = push.incarnation ?? 0
            if push.event == "update", over.contains(card) { updatesAfterEnd += 1 }
            if push.event == "end" { over.insert(card) }
            if let timestamp = push.timestamp {
                if let last = newest[card], timestamp <= last { timestampRegressions += 1 }
                newest[card] = timestamp
            }
        }
    }

    mutating func add(_ other: PhoneFigures) {
        activities += other.activities
        started += other.started
        notStarted.merge(other.notStarted, uniquingKeysWith: +)
        ended += other.ended
        live += other.live
        wrongFinalState += other.wrongFinalState
        duplicateCards += other.duplicateCards
        updatesAfterEnd += other.updatesAfterEnd
        timestampRegressions += other.timestampRegressions
        oversizedPayloads += other.oversizedPayloads
        undecodable += other.undecodable
    }
}
