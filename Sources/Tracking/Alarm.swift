/// What is waited for. The numbers are stored.
package enum TimerKind: Int32, Hashable, Sendable, CaseIterable {
    /// The promise of the shown state runs out.
    case stale = 1
    /// A started card's update token is due.
    case tokenWait = 2
    /// A start whose answer was lost: from then on the card counts as out of reach.
    case ambiguity = 3
    /// The order takes longer than a card may show it.
    case deadline = 4
    /// Shortly before the system ends the card itself.
    case lifetime = 5
    /// Nobody confirmed the card's end: it is certainly gone.
    case unconfirmed = 6
    /// A start may be asked for again: the device's budget, or the order's schedule.
    case startWait = 7
    /// The next card is started before this one's life is over.
    case rollover = 8
    /// A failed attempt was not repeated.
    case attemptWait = 9
    /// A partner did not answer a customer's request.
    case commandWait = 10

    /// The word in the facts.
    package var name: String {
        switch self {
        case .stale: "stale"
        case .tokenWait: "tokenWait"
        case .ambiguity: "ambiguity"
        case .deadline: "deadline"
        case .lifetime: "lifetime"
        case .unconfirmed: "unconfirmed"
        case .startWait: "startWait"
        case .rollover: "rollover"
        case .attemptWait: "attemptWait"
        case .commandWait: "commandWait"
        }
    }

    package init?(name: String) {
        guard let kind = TimerKind.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}

/// The one timer of a card, or of the order itself: set for the earliest of all it waits for.
///
/// A moment that moves later is not set anew: the timer rings early, nothing is due, and it is set again. So the steady
/// life of an order, where every event moves a promise, writes no timers.
package struct Alarm: Hashable, Sendable {
    package struct Armed: Hashable, Sendable {
        package let kind: TimerKind
        /// Counts the settings of this alarm; the id of its fact is made of it.
        package let generation: Int
        package let dueAt: Instant

        package init(kind: TimerKind, generation: Int, dueAt: Instant) {
            self.kind = kind
            self.generation = generation
            self.dueAt = dueAt
        }
    }

    package internal(set) var armed: Armed?
    package internal(set) var generation = 0

    package init() {}

    /// After this very alarm rang at `rung`, what was due is dealt with: only what is still to come may ring again. Others
    /// that are due at the same moment ring themselves, and a ring of an older setting left this one armed.
    mutating func set(for wishes: Wishes, after rung: Instant?) {
        let open = if let rung, armed == nil { wishes.after(rung) } else { wishes }
        guard let earliest = open.earliest else {
            armed = nil
            return
        }
        if let armed, armed.dueAt <= earliest.at, wishes.contains(armed.kind) { return }
        generation += 1
        armed = Armed(kind: earliest.kind, generation: generation, dueAt: earliest.at)
    }

    /// True when the timer that rang is the one that is set; one of an older setting means nothing.
    mutating func rings(_ rung: Int) -> Bool {
        guard armed?.generation == rung else { return false }
        armed = nil
        return true
    }
}
