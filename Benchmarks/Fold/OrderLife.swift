internal import Tracking

/// All facts of one order's stream: its partner's, and those of a phone on which everything goes well at once.
struct OrderLife {
    struct Step {
        let fact: OrderStreamFact
        let now: Instant
        /// What the fold needs where the fact does not fit behind the one before.
        let partnerFacts: [PartnerFact]?
    }

    let id: OrderID
    let events: Int
    private(set) var steps: [Step] = []

    init(of order: (id: OrderID, facts: [PartnerFact]), policy: Policy) {
        id = order.id
        events = order.facts.count
        var recorder = Recorder(stream: OrderStream(id: order.id), policy: policy)
        for fact in order.facts { recorder.happens(fact) }
        steps = recorder.steps
    }

    /// Folds it from the start; how many decisions that made.
    func fold(_ policy: Policy) -> Int {
        var stream = OrderStream(id: id)
        var decisions = 0
        // By index: a loop over the steps would copy each, which is no part of the fold.
        for index in steps.indices where stream.accepts(steps[index].fact) || steps[index].partnerFacts != nil {
            let outcome = stream.handle(
                steps[index].fact,
                version: index + 1,
                now: steps[index].now,
                policy: policy,
                partnerFacts: steps[index].partnerFacts
            )
            decisions += outcome.decisions.count
        }
        return decisions
    }
}

/// Writes down what an order's stream hears while its phone, its device and APNs answer at once.
private struct Recorder {
    private static let device = DeviceID("phone")

    var stream: OrderStream
    let policy: Policy
    private(set) var steps: [OrderLife.Step] = []
    private var arrived: [PartnerFact] = []
    private var stamp: Int64 = 0

    init(stream: OrderStream, policy: Policy) {
        self.stream = stream
        self.policy = policy
    }

    mutating func happens(_ fact: PartnerFact) {
        arrived.append(fact)
        let now = fact.key.time
        tell(.partner(fact), now)
        while let card = stream.activities.first, let intention = card.intention, let due = intention.dueAt, due <= now
        {
            send(intention, now)
        }
    }

    private mutating func tell(_ fact: OrderStreamFact, _ now: Instant) {
        let again = stream.accepts(fact) ? nil : arrived
        steps.append(OrderLife.Step(fact: fact, now: now, partnerFacts: again))
        let outcome = stream.handle(fact, version: steps.count, now: now, policy: policy, partnerFacts: again)
        for relay in outcome.relays { answer(relay, now) }
    }

    private mutating func answer(_ relay: Relay, _ now: Instant) {
        if case .toCustomer(let customer, .linkOpened) = relay {
            let snapshot = DeviceSnapshot(
                device: Self.device,
                customer: customer,
                generation: 1,
                hasStartToken: true,
                settings: DeviceSettings()
            )
            tell(.linkAnswered(customer, devices: [snapshot]), now)
        }
        if case .toDevice(let device, .startRequested(_, let incarnation)) = relay {
            tell(.startGranted(device, incarnation: incarnation, from: nil), now)
        }
    }

    private mutating func send(_ intention: Intention, _ now: Instant) {
        stamp = max(stamp + 1, now.seconds)
        if intention.verb == .start { tell(.startClaimed(Self.device, incarnation: 1), now) }
        let shown = Shown(
            intention.content,
            orderRevision: intention.orderRevision,
            stamp: stamp,
            at: now,
            staleAt: now + intention.staleAfter
        )
        let accepted = PushAccepted(
            device: Self.device,
            incarnation: 1,
            verb: intention.verb,
            revision: intention.revision,
            priority: intention.priority,
            alerts: intention.alerts,
            shown: shown
        )
        tell(.pushAccepted(accepted), now)
        if intention.verb == .start { tell(.registered(registration(now)), now) }
    }

    private func registration(_ now: Instant) -> CardRegistration {
        CardRegistration(
            device: Self.device,
            activity: ActivityID("card"),
            hasToken: true,
            origin: .server,
            startedAt: now,
            observedAt: now,
            incarnation: 1,
            sequence: 1
        )
    }
}
