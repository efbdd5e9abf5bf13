internal import Tracking

/// An order while it is simulated: its stream, and its cards on the phone.
struct LiveOrder {
    /// Index in the recorded stream.
    let place: Int
    var stream: OrderStream
    /// All partner facts so far, for a fold from the start.
    private(set) var facts: [PartnerFact] = []
    /// Events that are still to come.
    var ahead: Int
    var cards: [PhoneCard] = []
    /// What the newest decided push of each incarnation is called.
    private var kinds: [Int: Decision.Kind] = [:]
    private(set) var pushes = 0
    private(set) var alerts: Alerts = []
    private(set) var wasShownStale = false
    /// Why there was no card, as was last said before the order was over.
    private(set) var obstacle = Reason.beforeStartPhase
    /// When what is promised cannot be believed any more, by an event or, unless more is heard, by time; nil for an order
    /// that is over.
    private var brokenAt: Instant?

    init(_ recorded: RecordedOrder, place: Int) {
        self.place = place
        stream = OrderStream(id: recorded.id)
        ahead = recorded.facts.count
    }

    mutating func tell(_ fact: OrderStreamFact, at now: Instant, policy: Policy) -> [Relay] {
        let own = ownFact(fact)
        if let own { facts.append(own) }
        let mustRefold = own != nil && !stream.accepts(fact)
        let outcome = stream.handle(
            fact,
            version: stream.version + 1,
            now: now,
            policy: policy,
            partnerFacts: mustRefold ? facts : nil
        )
        for decision in outcome.decisions where decision.tokenKind != nil && decision.kind != .wait {
            kinds[decision.incarnation] = decision.kind
        }
        judge(at: now, policy)
        return outcome.relays
    }

    private mutating func judge(at now: Instant, _ policy: Policy) {
        guard !stream.order.phase.isFinal else {
            brokenAt = nil
            return
        }
        if let newest = stream.activities.indices.last { obstacle = stream.activities[newest].reason }
        brokenAt = stream.promisedUntil(policy: policy) ?? min(brokenAt ?? now, now)
    }

    private func ownFact(_ fact: OrderStreamFact) -> PartnerFact? {
        if case .partner(let partner) = fact { return partner }
        if case .timerRang(let timer) = fact { return PartnerFact(timer) }
        return nil
    }

    /// Time passes for its cards; see `PhoneCard.pass`.
    mutating func pass(to now: Instant) -> (stale: Duration, dishonest: Duration) {
        var sum = (stale: Duration.zero, dishonest: Duration.zero)
        for index in cards.indices {
            let passed = cards[index].pass(to: now, brokenAt: brokenAt)
            sum.stale += passed.stale
            sum.dishonest += passed.dishonest
        }
        if sum.stale > .zero { wasShownStale = true }
        return sum
    }

    /// Notes a push that leaves, and answers what it is called.
    mutating func sends(_ intention: Intention, incarnation: Int) -> Decision.Kind {
        pushes += 1
        alerts.formUnion(intention.alerts)
        return kinds[incarnation] ?? .update
    }

    // MARK: - The end

    /// Whether nothing can happen to it any more: no event, and nobody who may call it.
    func isOver(_ settings: SimulationSettings) -> Bool {
        guard ahead == 0, wakesAt(settings) == nil else { return false }
        return stream.closed || !stream.activities.contains { $0.state == .none && $0.grant == .refused(until: nil) }
    }

    /// Why it has no card; nil: it has one.
    var notStarted: Reason? {
        guard cards.isEmpty else { return nil }
        guard let newest = stream.activities.last else { return .beforeStartPhase }
        // An end in time is no reason for an order that waited in vain before.
        guard newest.reason == .finishedBeforeStart, obstacle != .beforeStartPhase else { return newest.reason }
        return obstacle
    }

    /// How its cards ended, by the states' names.
    var endings: [String] {
        stream.activities.filter { $0.startedAt != nil }.map { card in
            if case .ended(let why) = card.state { why.rawValue } else { card.state.name }
        }
    }

    /// Equal for orders of which a person saw the same in the end: a card or why there was none, how it ended, which
    /// alerts rang, and whether it was ever shown as stale. How many pushes that took is no part of it.
    var outcome: UInt64 {
        var digest = Digest()
        digest.add(notStarted?.rawValue ?? "")
        for ending in endings { digest.add(ending) }
        digest.add(UInt64(alerts.rawValue))
        digest.add(wasShownStale ? 1 : 0)
        return digest.value
    }
}
