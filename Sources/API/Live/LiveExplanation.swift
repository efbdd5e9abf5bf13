internal import JSONText
internal import PostgresStore
internal import Service
package import Tracking

extension LiveOrders {
    package func explanation(
        of order: OrderID,
        until time: Int64?,
        redecide: Bool,
        caller: Caller
    ) async throws(Unavailable) -> ExplanationView? {
        let app = try service.app(caller)
        return try await service.reading {
            try await service.orders.explanation(app: app.number, order, until: time, redecide: redecide)
        }
        .map { ExplanationView($0) }
    }
}

extension ExplanationView {
    init(_ explanation: Explanation) {
        let stream = explanation.stream
        var phones: [DeviceID: PhoneExplanation] = [:]
        func change(_ device: DeviceID, _ body: (inout PhoneExplanation) -> Void) {
            body(&phones[device, default: PhoneExplanation(device: device, cards: [], decisions: [], answers: [])])
        }
        for device in stream.devices.keys { change(device) { _ in } }
        for card in stream.activities {
            change(card.device) { $0.cards.append(CardExplanation(card, at: explanation.at)) }
        }
        if let channel = stream.channel {
            change(Channel.device) { $0.cards.append(CardExplanation(channel, at: explanation.at)) }
        }
        for (device, fallback) in stream.fallbacks {
            change(device) { $0.alert = AlertExplanation(fallback, at: explanation.at) }
        }
        for step in explanation.steps {
            if let (device, answer) = AnswerView.read(step.fact) { change(device) { $0.answers.append(answer) } }
        }
        let (decisions, since) = Self.newest(of: explanation)
        for (device, decision) in decisions { change(device) { $0.decisions.append(decision) } }
        self.init(
            order: stream.id,
            at: explanation.at.microseconds,
            phase: stream.order.phase,
            revision: stream.order.revision,
            policyVersion: Int(explanation.policy.version),
            timer: stream.timers.first { $0.device == nil }.map { TimerView($0.timer) },
            customers: stream.links.count,
            decisionsSince: since,
            phones: phones.values.sorted { $0.device.value.utf8.lexicographicallyPrecedes($1.device.value.utf8) }
        )
    }
}

extension ExplanationView {
    /// More than people read, and little enough to be written at once; all are on the timeline.
    private static let mostDecisions = 2_000

    /// The newest decisions, oldest first, and the moment from which on they are all here; nil: there are no others.
    private static func newest(
        of explanation: Explanation
    ) -> (decisions: [(DeviceID, DecisionExplanation)], since: Int64?) {
        var newest: [[(DeviceID, DecisionExplanation)]] = []
        var count = 0
        for step in explanation.steps.reversed() {
            let decisions = step.decisions(today: explanation.policy)
            if count > 0, count + decisions.count > mostDecisions {
                return (newest.reversed().flatMap(\.self), newest.last?.first?.1.at)
            }
            if !decisions.isEmpty { newest.append(decisions) }
            count += decisions.count
        }
        return (newest.reversed().flatMap(\.self), nil)
    }
}

extension TimerView {
    init(_ armed: Alarm.Armed) { self.init(kind: armed.kind, until: armed.dueAt.microseconds) }
}

extension CardExplanation {
    init(_ card: Activity, at now: Instant) {
        self.init(
            card: ActivityView(card),
            meaning: card.reason.meaning,
            shownPhase: card.shown?.phase,
            staleAt: card.shown?.staleAt.microseconds,
            pending: card.intention.map { Pending($0) },
            timer: card.alarm.armed.map { TimerView($0) },
            next: card.outlook(at: now) { RFC3339.format($0.microseconds) }
        )
    }
}

extension CardExplanation {
    init(_ channel: Channel, at now: Instant) {
        self.init(channel.card, at: now)
        meaning = channel.meaning ?? meaning
        next = channel.next ?? next
    }
}

extension CardExplanation.Pending {
    init(_ intention: Intention) {
        self.init(
            verb: intention.verb,
            reason: intention.reason,
            priority: intention.priority,
            alerts: intention.alerts,
            dueAt: intention.dueAt?.microseconds
        )
    }
}

extension AlertExplanation {
    init(_ fallback: Fallback, at now: Instant) {
        self.init(
            told: fallback.told,
            pending: fallback.intention.map { CardExplanation.Pending($0) },
            next: fallback.outlook(at: now) { RFC3339.format($0.microseconds) }
        )
    }
}

extension Explanation.Step {
    private struct Card: Hashable {
        let device: DeviceID
        let incarnation: Int

        init(_ decision: TimelineDecision) { (device, incarnation) = (decision.device, decision.incarnation) }
    }

    /// What was decided card by card, with today's decision beside it.
    fileprivate func decisions(today policy: Policy) -> [(DeviceID, DecisionExplanation)] {
        let recorded = recorded.map { TimelineDecision.list($0) } ?? []
        let again = EffectRecord(policy: Int(policy.version), items: DecisionCodec.items(today ?? []))
        var rest = Dictionary(TimelineDecision.list(again).map { (Card($0), $0) }) { first, _ in first }
        let pairs = recorded.map { (recorded: Optional($0), today: rest.removeValue(forKey: Card($0))) }
        let added = rest.values.map { (recorded: TimelineDecision?.none, today: Optional($0)) }
        return (pairs + added).compactMap { pair in
            guard let card = (pair.recorded ?? pair.today).map({ Card($0) }) else { return nil }
            let decision = DecisionExplanation(
                at: fact.recordedAt,
                pos: fact.pos,
                because: fact.type,
                incarnation: card.incarnation,
                recorded: pair.recorded,
                today: pair.today
            )
            return (card.device, decision)
        }
    }
}

extension AnswerView {
    /// What a fact tells of a push, if it does.
    fileprivate static func read(_ fact: LoggedFact) -> (DeviceID, AnswerView)? {
        let result: Result
        switch fact.type {
        case FactType.pushAccepted: result = .accepted
        case FactType.pushRefused: result = .refused
        case FactType.pushLost: result = .lost
        default: return nil
        }
        guard let body = try? JSON.parse(fact.body), let device = body["device"]?.stringValue else { return nil }
        func number(_ name: String) -> Int? { body[name]?.int64Value.map { Int($0) } }
        let answer = AnswerView(
            at: fact.recordedAt,
            pos: fact.pos,
            incarnation: number("incarnation") ?? 0,
            event: body["event"]?.stringValue ?? "",
            result: result,
            status: result == .accepted ? 200 : number("status"),
            reason: body["reason"]?.stringValue,
            remedy: body["remedy"]?.stringValue,
            priority: number("priority"),
            alerts: Alerts(rawValue: UInt8(truncatingIfNeeded: number("alerts") ?? 0)),
            apnsID: body["apnsId"]?.stringValue
        )
        return (DeviceID(device), answer)
    }
}
