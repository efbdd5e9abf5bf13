package import Tracking

/// Why each phone of an order did or did not get a push: `GET /v1/orders/{order}/explanation`.
package struct ExplanationView: Hashable, Sendable {
    package var order: OrderID
    /// The moment it tells of, microseconds.
    package var at: Int64
    package var phase: Phase
    package var revision: Int
    /// In force now.
    package var policyVersion: Int
    /// What the order itself waits for.
    package var timer: TimerView?
    /// How many customers it is linked to: their phones are those that can show it.
    package var customers: Int
    /// Older decisions than of this moment (microseconds) are on the timeline alone; nil: all are here.
    package var decisionsSince: Int64?
    /// By id.
    package var phones: [PhoneExplanation]

    package init(
        order: OrderID,
        at: Int64,
        phase: Phase,
        revision: Int,
        policyVersion: Int,
        timer: TimerView?,
        customers: Int,
        decisionsSince: Int64? = nil,
        phones: [PhoneExplanation]
    ) {
        self.order = order
        self.at = at
        self.phase = phase
        self.revision = revision
        self.policyVersion = policyVersion
        self.timer = timer
        self.customers = customers
        self.decisionsSince = decisionsSince
        self.phones = phones
    }
}

package struct PhoneExplanation: Hashable, Sendable {
    package var device: DeviceID
    package var cards: [CardExplanation]
    /// The alert in the place of cards; nil: none was ever wanted.
    package var alert: AlertExplanation?
    /// Oldest first.
    package var decisions: [DecisionExplanation]
    package var answers: [AnswerView]

    package init(
        device: DeviceID,
        cards: [CardExplanation],
        alert: AlertExplanation? = nil,
        decisions: [DecisionExplanation],
        answers: [AnswerView]
    ) {
        self.device = device
        self.cards = cards
        self.alert = alert
        self.decisions = decisions
        self.answers = answers
    }
}

/// A timer that is set: what is waited for, and until when.
package struct TimerView: Hashable, Sendable {
    package var kind: TimerKind
    package var until: Int64

    package init(kind: TimerKind, until: Int64) {
        self.kind = kind
        self.until = until
    }
}

/// A card as it stands, and what happens to it next.
package struct CardExplanation: Hashable, Sendable {
    /// The newest thing that is to be sent and was not yet accepted.
    package struct Pending: Hashable, Sendable {
        package var verb: Verb
        package var reason: Reason
        package var priority: Int
        package var alerts: Alerts
        /// nil: it waits for a token.
        package var dueAt: Int64?

        package init(verb: Verb, reason: Reason, priority: Int, alerts: Alerts, dueAt: Int64?) {
            self.verb = verb
            self.reason = reason
            self.priority = priority
            self.alerts = alerts
            self.dueAt = dueAt
        }
    }

    package var card: ActivityView
    package var meaning: String
    /// What APNs last accepted for it.
    package var shownPhase: Phase?
    package var staleAt: Int64?
    package var pending: Pending?
    package var timer: TimerView?
    /// In words.
    package var next: String

    package init(
        card: ActivityView,
        meaning: String,
        shownPhase: Phase?,
        staleAt: Int64?,
        pending: Pending?,
        timer: TimerView?,
        next: String
    ) {
        self.card = card
        self.meaning = meaning
        self.shownPhase = shownPhase
        self.staleAt = staleAt
        self.pending = pending
        self.timer = timer
        self.next = next
    }
}

/// The alert in the place of a phone's cards: what it told, and what it is about to tell.
package struct AlertExplanation: Hashable, Sendable {
    package var told: Alerts
    package var pending: CardExplanation.Pending?
    /// In words.
    package var next: String

    package init(told: Alerts, pending: CardExplanation.Pending?, next: String) {
        self.told = told
        self.pending = pending
        self.next = next
    }
}

/// What was decided about a card at one fact, and what today's policy would have decided there.
package struct DecisionExplanation: Hashable, Sendable {
    /// Receive time and position of the fact.
    package var at: Int64
    package var pos: Int64
    /// The fact's type.
    package var because: String
    package var incarnation: Int
    /// nil: nothing was recorded, today's policy would decide something.
    package var recorded: TimelineDecision?
    package var today: TimelineDecision?

    package init(
        at: Int64,
        pos: Int64,
        because: String,
        incarnation: Int,
        recorded: TimelineDecision?,
        today: TimelineDecision?
    ) {
        self.at = at
        self.pos = pos
        self.because = because
        self.incarnation = incarnation
        self.recorded = recorded
        self.today = today
    }
}

/// What APNs said of a push.
package struct AnswerView: Hashable, Sendable {
    package enum Result: String, Hashable, Sendable, CaseIterable {
        case accepted
        case refused
        /// It left and no answer came.
        case lost
    }

    package var at: Int64
    package var pos: Int64
    package var incarnation: Int
    package var event: String
    package var result: Result
    /// HTTP status; 0: it never left; nil: no answer.
    package var status: Int?
    /// APNs' own word, or why it never left.
    package var reason: String?
    /// What is done about a refusal: `forgetToken`, `retry`, `drop`.
    package var remedy: String?
    package var priority: Int?
    package var alerts: Alerts
    package var apnsID: String?

    package init(
        at: Int64,
        pos: Int64,
        incarnation: Int,
        event: String,
        result: Result,
        status: Int?,
        reason: String?,
        remedy: String?,
        priority: Int?,
        alerts: Alerts,
        apnsID: String?
    ) {
        self.at = at
        self.pos = pos
        self.incarnation = incarnation
        self.event = event
        self.result = result
        self.status = status
        self.reason = reason
        self.remedy = remedy
        self.priority = priority
        self.alerts = alerts
        self.apnsID = apnsID
    }
}
