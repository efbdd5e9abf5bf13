/// Everything an order's lane knows of one order: the folded order, the devices of its customers, and their cards.
package struct OrderStream: Hashable, Sendable {
    package let id: OrderID
    package internal(set) var order = Order()
    /// Receive time of the newest partner fact.
    package internal(set) var asOf: Instant?
    /// Receive time of the first fact of any kind.
    package internal(set) var openedAt: Instant?
    /// Customers whose link was opened, and whether their stream has answered.
    package internal(set) var links: [CustomerID: Bool] = [:]
    package internal(set) var devices: [DeviceID: DeviceSnapshot] = [:]
    package internal(set) var activities: [Activity] = []
    /// Whether the customers were told that this order is over.
    package internal(set) var closed = false
    /// Version of the newest fact folded, and the newest at which nothing was pending.
    package internal(set) var version = 0
    package internal(set) var settledVersion = 0

    package init(id: OrderID) { self.id = id }

    /// What folding one fact asks the shell to do, all in one transaction.
    package struct Outcome: Hashable, Sendable {
        package var decisions: [Decision] = []
        package var relays: [Relay] = []
        /// What the fact did to the phase, for partner facts.
        package var effect: FoldEffect?
    }

    /// Whether the fact can be folded onto this value; if not, call `refold` with all partner facts first.
    package func accepts(_ fact: OrderStreamFact) -> Bool {
        guard case .partner(let partner) = fact else { return true }
        return order.accepts(partner)
    }

    /// Folds one fact and decides for every card.
    ///
    /// `now` is the receive time of the fact. Where `accepts` said no, `partnerFacts` are all partner facts of the order
    /// up to and with this one, in any order.
    package mutating func handle(
        _ fact: OrderStreamFact,
        version: Int,
        now: Instant,
        policy: Policy,
        partnerFacts: [PartnerFact]? = nil
    ) -> Outcome {
        var outcome = Outcome()
        openedAt = openedAt ?? now
        self.version = version
        let isPartnerFact = evolve(fact, now: now, partnerFacts: partnerFacts, into: &outcome)
        for customer in order.customers { open(customer, into: &outcome) }
        decideAll(now: now, policy: policy, recordAll: isPartnerFact, into: &outcome)
        close(into: &outcome)
        if !hasPending(at: now, tokenWait: policy.tokenWait) { settledVersion = version }
        return outcome
    }

    // MARK: - Evolving

    /// True for facts that staff expect a decision beside, even if it is to do nothing.
    private mutating func evolve(
        _ fact: OrderStreamFact,
        now: Instant,
        partnerFacts: [PartnerFact]?,
        into outcome: inout Outcome
    ) -> Bool {
        switch fact {
        case .partner(let partner):
            fold(partner, all: partnerFacts, into: &outcome)
            asOf = now
            let isFinal = order.phase.isFinal
            for index in activities.indices { activities[index].orderMoved(isFinal: isFinal) }
            return true
        case .linked(let customer):
            open(customer, into: &outcome)
        case .linkAnswered(let customer, let snapshots):
            answered(customer, snapshots, into: &outcome)
        case .deviceAvailable(let snapshot):
            learn(snapshot, into: &outcome)
        case .deviceGone(let device):
            leave(device, into: &outcome)
        case .startGranted(let device, let incarnation):
            change(device, incarnation) { $0.grantAnswered(.granted) }
        case .startRefused(let device, let incarnation, let until):
            change(device, incarnation) { $0.grantAnswered(.refused(until: until)) }
        case .startFree(let device):
            placeMayBeFree(on: device)
        case .asked(let device):
            asked(device, at: now)
        case .registered(let registration):
            register(registration, now: now, into: &outcome)
        case .reported(let report):
            changeCard(report.activity, into: &outcome) { $0.reported(report.state, sequence: report.sequence) }
        case .cardsListed(let device, let cards):
            listed(device, cards, now: now, into: &outcome)
        case .startClaimed(let device, let incarnation):
            change(device, incarnation) { $0.startClaims += 1 }
        case .pushAccepted(let accepted):
            let isFinal = order.phase.isFinal
            changeCard(accepted.device, accepted.incarnation, into: &outcome) {
                $0.accepted(accepted, orderIsFinal: isFinal)
            }
        case .pushRefused(let refused):
            changeCard(refused.device, refused.incarnation, into: &outcome) { $0.refused(refused, now: now) }
            // Until the device stream says which token it has now.
            if refused.verb == .start, refused.remedy == .forgetToken { devices[refused.device]?.hasStartToken = false }
        case .pushLost(let lost):
            let phase = order.phase
            changeCard(lost.device, lost.incarnation, into: &outcome) { $0.lost(lost, orderPhase: phase, now: now) }
        case .other:
            break
        }
        return false
    }

    private mutating func fold(_ partner: PartnerFact, all: [PartnerFact]?, into outcome: inout Outcome) {
        guard let all else {
            outcome.effect = order.evolve(partner)
            return
        }
        let folded = Order.fold(all)
        order = folded.order
        outcome.effect = folded.facts.first { $0.fact.reference == partner.reference }?.effect
    }

    mutating func learn(_ snapshot: DeviceSnapshot, into outcome: inout Outcome) {
        if let known = devices[snapshot.device], known.generation > snapshot.generation { return }
        let known = devices.updateValue(snapshot, forKey: snapshot.device)
        if known?.generation != snapshot.generation { placeMayBeFree(on: snapshot.device) }
        if !snapshot.settings.activitiesEnabled { withdraw(snapshot.device, .disabled, into: &outcome) }
    }

    private mutating func placeMayBeFree(on device: DeviceID) {
        for index in activities.indices where activities[index].device == device { activities[index].placeIsFree() }
    }

    mutating func withdraw(_ device: DeviceID, _ why: EndReason, into outcome: inout Outcome) {
        for index in activities.indices where activities[index].device == device {
            change(index, into: &outcome) { $0.withdraw(why) }
        }
    }
}
