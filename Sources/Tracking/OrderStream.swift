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
    /// - Parameters:
    ///   - now: receive time of the fact.
    ///   - partnerFacts: all partner facts of the order up to and with this one, where `accepts` said no.
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
        openLinks(into: &outcome)
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
            return true
        case .linked(let customer):
            if links[customer] == nil { pendingCustomers.append(customer) }
        case .linkAnswered(let customer, let snapshots):
            links[customer] = true
            for snapshot in snapshots { learn(snapshot, into: &outcome) }
        case .deviceAvailable(let snapshot):
            learn(snapshot, into: &outcome)
        case .deviceGone(let device):
            devices[device] = nil
            withdraw(device, .owner, into: &outcome)
        case .startGranted(let device, let incarnation):
            change(device, incarnation) { $0.grantAnswered(.granted) }
        case .startRefused(let device, let incarnation, let until):
            change(device, incarnation) { $0.grantAnswered(.refused(until: until)) }
        case .startFree(let device):
            for index in activities.indices where activities[index].device == device {
                activities[index].placeIsFree()
            }
        case .registered(let registration):
            register(registration, now: now, into: &outcome)
        case .reported(let report):
            changeCard(report.activity, into: &outcome) { $0.reported(report.state, sequence: report.sequence) }
        case .cardsListed(let device, let cards):
            listed(device, cards, into: &outcome)
        case .startClaimed(let device, let incarnation):
            change(device, incarnation) { $0.startClaims += 1 }
        case .pushAccepted(let accepted):
            let isFinal = order.phase.isFinal
            changeCard(accepted.device, accepted.incarnation, into: &outcome) {
                $0.accepted(accepted, orderIsFinal: isFinal)
            }
        case .pushRefused(let refused):
            changeCard(refused.device, refused.incarnation, into: &outcome) { $0.refused(refused, now: now) }
        case .pushLost(let lost):
            changeCard(lost.device, lost.incarnation, into: &outcome) { $0.lost(lost, now: now) }
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

    private mutating func learn(_ snapshot: DeviceSnapshot, into outcome: inout Outcome) {
        if let known = devices[snapshot.device], known.generation > snapshot.generation { return }
        devices[snapshot.device] = snapshot
        if !snapshot.settings.activitiesEnabled { withdraw(snapshot.device, .disabled, into: &outcome) }
    }

    private mutating func withdraw(_ device: DeviceID, _ why: EndReason, into outcome: inout Outcome) {
        for index in activities.indices where activities[index].device == device {
            change(index, into: &outcome) { $0.withdraw(why) }
        }
    }

    // MARK: - Links

    private var pendingCustomers: [CustomerID] = []

    private mutating func openLinks(into outcome: inout Outcome) {
        for customer in order.customers + pendingCustomers where links[customer] == nil {
            links[customer] = false
            outcome.relays.append(.toCustomer(customer, .linkOpened(id)))
        }
        pendingCustomers.removeAll()
    }

    /// Once every card is over nobody needs to be told of new devices; a reopened order opens its links again.
    private mutating func close(into outcome: inout Outcome) {
        let over = order.phase.isFinal && activities.allSatisfy { $0.state.isOver || $0.isSettledNone }
        guard over != closed else { return }
        closed = over
        for customer in links.keys.sorted(by: { $0.value.precedesByBytes($1.value) }) {
            if !over { links[customer] = false }
            outcome.relays.append(.toCustomer(customer, over ? .linkClosed(id) : .linkOpened(id)))
        }
    }

    // MARK: - Cards

    private func index(_ device: DeviceID, _ incarnation: Int) -> Int? {
        activities.firstIndex { $0.device == device && $0.incarnation == incarnation }
    }

    private mutating func change(_ device: DeviceID, _ incarnation: Int, _ body: (inout Activity) -> Void) {
        if let index = index(device, incarnation) { body(&activities[index]) }
    }

    private mutating func changeCard(
        _ device: DeviceID,
        _ incarnation: Int,
        into outcome: inout Outcome,
        _ body: (inout Activity) -> Void
    ) {
        if let index = index(device, incarnation) { change(index, into: &outcome, body) }
    }

    private mutating func changeCard(
        _ activity: ActivityID,
        into outcome: inout Outcome,
        _ body: (inout Activity) -> Void
    ) {
        if let index = activities.firstIndex(where: { $0.activityID == activity }) {
            change(index, into: &outcome, body)
        }
    }

    /// Changes one card and tells its device what that means for its places and its start token.
    private mutating func change(_ index: Int, into outcome: inout Outcome, _ body: (inout Activity) -> Void) {
        let before = activities[index]
        body(&activities[index])
        let after = activities[index]
        for message in after.messages(since: before, order: id) {
            outcome.relays.append(.toDevice(after.device, message))
        }
    }

    private mutating func register(
        _ registration: CardRegistration,
        now: Instant,
        into outcome: inout Outcome
    ) {
        let index: Int
        if let known = activities.firstIndex(where: { $0.activityID == registration.activity }) {
            index = known
        } else {
            let incarnation = registration.incarnation ?? incarnation(for: registration)
            if self.index(registration.device, incarnation) == nil {
                activities.append(Activity(device: registration.device, incarnation: incarnation))
            }
            guard let found = self.index(registration.device, incarnation) else { return }
            index = found
        }
        let isFinal = order.phase.isFinal
        change(index, into: &outcome) { $0.registered(registration, now: now, orderIsFinal: isFinal) }
    }

    private func incarnation(for registration: CardRegistration) -> Int {
        let cards = activities.filter { $0.device == registration.device }
        if registration.origin == .server, let waiting = cards.last(where: \.awaitsRegistration) {
            return waiting.incarnation
        }
        if let untouched = cards.last, untouched.isUntouched { return untouched.incarnation }
        return (cards.map(\.incarnation).max() ?? 0) + 1
    }

    private mutating func listed(_ device: DeviceID, _ cards: [ListedCard], into outcome: inout Outcome) {
        for index in activities.indices where activities[index].device == device {
            let card = activities[index]
            let isListed = cards.contains {
                $0.activity == card.activityID || ($0.incarnation == card.incarnation && card.activityID == nil)
            }
            change(index, into: &outcome) { $0.listed(isListed) }
        }
    }
}
