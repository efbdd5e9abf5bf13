/// Everything a decision about a card may look at, made once for every fact and lent to the rules: what they ask for of
/// the order, not the stream, as copies of large values are most of what a decision costs.
struct Situation: ~Copyable {
    let now: Instant
    let phase: Phase
    /// Event time of the fact that made the phase.
    let since: Instant?
    let revision: Int
    let scheduledFor: Instant?
    let attemptFailedAt: Instant?
    let attributes: CardAttributes
    /// Receive time of what last confirmed the order: a partner's fact, or a sight of its courier.
    let confirmedAt: Instant
    let promise: Promise
    /// The order as its cards should show it now, and the digest of that.
    let content: Content
    let digest: UInt64
    /// The phone of the card that is looked at; nil when it no longer belongs to a customer of the order.
    var phone: Phone?
    /// What the phone's other cards of this order mean for a start of this one.
    var others = Others()
    /// What the card may start with.
    var channel = OrderStream.ChannelOffer.token
    /// When the first of the cards began that rolled over into this one.
    var begun: Instant?
    /// What an alert in the place of cards told the phone already.
    var told: Alerts = []

    /// What is known of a card's phone.
    struct Phone {
        let hasStartToken: Bool
        let activitiesEnabled: Bool
    }

    /// What the other cards of one order and device mean for a start.
    struct Others {
        /// One stands against it.
        var forbid: Reason?
        /// The card before is nearly over: people have seen the order all along, however old its phase is.
        var giveWay = false
    }

    // Inlined here and below: a call would be handed a copy of the whole stream.
    @inline(__always)
    init(_ stream: borrowing OrderStream, now: Instant, policy: Policy) {
        self.now = now
        phase = stream.order.phase
        since = stream.order.since
        revision = stream.order.revision
        scheduledFor = stream.order.scheduledFor
        attemptFailedAt = stream.order.attemptFailedAt
        attributes = CardAttributes(stream.order)
        confirmedAt = stream.asOf ?? now
        promise = stream.promise(policy, now: now)
        content = stream.content(at: now, policy: policy)
        digest = content.digest
    }
}

extension OrderStream {
    /// Completes the situation by what concerns one card.
    func look(at index: Int, _ device: DeviceSnapshot?, _ policy: Policy, _ situation: inout Situation) {
        situation.phone = device.map {
            Situation.Phone(hasStartToken: $0.hasStartToken, activitiesEnabled: $0.settings.activitiesEnabled)
        }
        situation.told = fallbacks.isEmpty ? [] : fallbacks[activities[index].device]?.told ?? []
        if policy.broadcast { situation.channel = channelOffer(device?.settings, at: situation.now) }
        situation.begun = policy.rollover ? beginning(of: index) : nil
        situation.others = activities[index].state == .none ? others(than: index) : Situation.Others()
    }

    /// Where a card took over from one that was nearly over, the start of the first.
    private func beginning(of index: Int) -> Instant? {
        let (device, incarnation) = (activities[index].device, activities[index].incarnation)
        guard incarnation > 1, let before = activities.index(device, incarnation - 1), activities[before].rollsOver
        else {
            return activities[index].startedAt
        }
        return beginning(of: before) ?? activities[index].startedAt
    }

    private func others(than index: Int) -> Situation.Others {
        var others = Situation.Others()
        for other in activities.indices where other != index && activities[other].device == activities[index].device {
            let isOlder = activities[other].incarnation < activities[index].incarnation
            others.forbid = others.forbid ?? activities[other].forbidsStart(ofOlder: !isOlder)
            if isOlder, activities[other].rollsOver { others.giveWay = true }
        }
        return others
    }
}

extension Activity {
    /// Whether this card stands against the start of another of its order and device: it runs, or it ended in a way after
    /// which there is none by push (engine rules, section 4).
    fileprivate func forbidsStart(ofOlder isOlder: Bool) -> Reason? {
        if state == .dismissed { return .dismissed }
        if isOnPhone, !rollsOver, !tokenDied { return .otherCardRuns }
        if case .ended(let why) = state, isOlder, !why.allowsNextCard { return .otherCardEnded }
        return nil
    }
}

/// What was decided for a card, and what that leaves in its slot.
struct Verdict {
    var decision: Decision
    var slot: Shared<Intention>?
    /// The device stream must be asked for a place.
    var asksForStart = false
}
