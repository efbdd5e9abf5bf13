import Tracking

/// Which decision follows for a card in a state when its order hears of something: the cells of the table in `docs/`.
struct DecisionTable {
    struct Cell: Hashable, Comparable {
        let state: String
        let input: String
        static func < (a: Cell, b: Cell) -> Bool { (a.state, a.input) < (b.state, b.input) }
    }

    /// Decisions and reasons, with how often they were met.
    private(set) var cells: [Cell: [String: Int]] = [:]

    mutating func note(_ fact: OrderStreamFact, before: OrderStream?, after: OrderStream, _ decisions: [Decision]) {
        let input = Self.input(fact)
        for decision in decisions {
            let card = before?.activities.first {
                $0.device == decision.device && $0.incarnation == decision.incarnation
            }
            let cell = Cell(state: Self.state(decision, of: card), input: input)
            cells[cell, default: [:]]["\(decision.kind.rawValue) \(decision.reason.rawValue)", default: 0] += 1
        }
    }

    /// The alert in the place of cards has no state, nor has the channel.
    private static func state(_ decision: Decision, of card: Activity?) -> String {
        switch decision.incarnation {
        case Channel.incarnation: "channel"
        case Fallback.incarnation: "alert"
        default: card?.state.name ?? "none"
        }
    }

    mutating func merge(_ other: DecisionTable) {
        for (cell, outcomes) in other.cells { cells[cell, default: [:]].merge(outcomes, uniquingKeysWith: +) }
    }

    /// What an order heard of, as a row of the table names it.
    static func input(_ fact: OrderStreamFact) -> String {
        switch fact {
        case .partner(let partner): partner.type.word
        case .linked: "order.linked"
        case .linkAnswered: "link.answered"
        case .deviceAvailable: "device.available"
        case .deviceGone: "device.gone"
        case .startGranted: "start.granted"
        case .startRefused: "start.refused"
        case .startFree: "start.free"
        case .farewellAtRisk: "card.farewell_at_risk"
        case .asked: "activity.asked"
        case .scheduled: "activity.scheduled"
        case .registered: "activity.registered"
        case .reported(let report): "activity.reported \(report.state.rawValue)"
        case .cardsListed: "cards.listed"
        case .tokenLost: "token.lost"
        case .startClaimed: "push.start_claimed"
        case .pushAccepted(let push): "push.accepted \(push.verb.name)"
        case .pushRefused(let push): "push.refused \(push.verb.name)"
        case .pushLost(let push): "push.lost \(push.verb.name)"
        case .channelOpened: "channel.opened"
        case .channelClosed: "channel.closed"
        case .timerRang(let timer): "timer.rang \(timer.kind.name)"
        case .courierSeen: "courier.seen"
        case .commandRequested: "command.requested"
        case .parked: "parked"
        case .unparked: "unparked"
        case .other: "other"
        }
    }
}
