/// Everything an order's lane knows of one order: the folded order, the devices of its customers, and their cards.
package struct OrderStream: Hashable, Sendable {
    package let id: OrderID
    package internal(set) var order = Order()
    /// Receive time of what last confirmed the order: a partner's fact, or a sight of its courier.
    package internal(set) var asOf: Instant?
    /// Receive time of the first fact of any kind.
    package internal(set) var openedAt: Instant?
    /// Customers whose link was opened, and whether their stream has answered.
    package internal(set) var links: [CustomerID: Bool] = [:]
    package internal(set) var devices: [DeviceID: DeviceSnapshot] = [:]
    package internal(set) var activities: [Activity] = []
    /// Alerts in the place of cards, of those devices that one was ever wanted for.
    package internal(set) var fallbacks: [DeviceID: Fallback] = [:]
    /// Where the app broadcasts.
    var broadcast: Shared<Channel>?
    package internal(set) var channel: Channel? {
        get { broadcast?.value }
        set { broadcast = newValue.map { Shared($0) } }
    }
    /// Ends that apps told of cards they had not registered yet; the newest few.
    var earlyReports: [CardReport] = []
    package internal(set) var pendingCommand: PendingCommand?
    /// When the failed attempt that the order's flag speaks of was heard of, and the request that is pending.
    package internal(set) var attemptHeardAt: Instant?
    package internal(set) var commandHeardAt: Instant?
    /// The order's own timer; cards have theirs.
    package internal(set) var alarm = Alarm()
    /// Partner facts are not folded for now: what is known is shown as stale and ends at its deadline (rule 15).
    package internal(set) var isParked = false
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

    /// Whether the fact can be folded onto this value; if not, `handle` needs all partner facts.
    package func accepts(_ fact: OrderStreamFact) -> Bool {
        switch fact {
        case .partner(let partner): order.accepts(partner)
        case .timerRang(let timer): PartnerFact(timer).map { order.accepts($0) } ?? true
        case .linked, .linkAnswered, .deviceAvailable, .deviceGone, .startGranted, .startRefused, .startFree,
            .farewellAtRisk, .asked, .scheduled, .registered, .reported, .cardsListed, .tokenLost, .startClaimed,
            .pushAccepted, .pushRefused, .pushLost, .channelOpened, .channelClosed, .courierSeen, .commandRequested,
            .parked, .unparked, .other:
            true
        }
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
        let isPartnerFact = evolve(fact, now: now, policy: policy, partnerFacts: partnerFacts, into: &outcome)
        decideAll(now: now, policy: policy, recordAll: isPartnerFact, after: fact.timer, into: &outcome)
        decideChannel(
            now: now,
            policy: policy,
            recordAll: isPartnerFact,
            after: fact.timer,
            into: &outcome
        )
        decideFallbacks(now: now, policy: policy, recordAll: isPartnerFact, into: &outcome)
        setAlarm(now: now, policy: policy, after: fact.timer)
        close(into: &outcome)
        if !hasPending(at: now, tokenWait: policy.tokenWait) { settledVersion = version }
        return outcome
    }

    // MARK: - Evolving

    /// True for facts that staff expect a decision beside, even if it is to do nothing.
    private mutating func evolve(
        _ fact: OrderStreamFact,
        now: Instant,
        policy: Policy,
        partnerFacts: [PartnerFact]?,
        into outcome: inout Outcome
    ) -> Bool {
        switch fact {
        case .partner(let partner):
            fold(partner, all: partnerFacts, heard: now, into: &outcome)
            asOf = now
            return true
        case .linked(let customer):
            open(customer, into: &outcome)
        case .linkAnswered(let customer, let snapshots):
            answered(customer, snapshots, into: &outcome)
        case .deviceAvailable(let snapshot):
            learn(snapshot, into: &outcome)
        case .deviceGone(let device):
            leave(device, into: &outcome)
        case .startGranted(let device, let incarnation, let from):
            change(device, incarnation) { $0.grantAnswered(.granted, from: from) }
        case .startRefused(let device, let incarnation, let until):
            change(device, incarnation) { $0.grantAnswered(.refused(until: until)) }
        case .startFree(let device):
            placeMayBeFree(on: device)
        case .farewellAtRisk(let device, let incarnation):
            change(device, incarnation) { $0.farewellIsAtRisk() }
        case .asked(let device):
            asked(device, at: now)
        case .scheduled(let device):
            scheduled(device, at: now, into: &outcome)
        case .registered(let registration):
            register(registration, now: now, into: &outcome)
        case .reported(let report):
            take(report, into: &outcome)
        case .cardsListed(let device, let cards):
            listed(device, cards, now: now, into: &outcome)
        case .tokenLost(let token, let claim):
            lose(token, claim: claim, into: &outcome)
        case .startClaimed(let device, let incarnation):
            change(device, incarnation) { $0.startClaimed(now: now) }
        case .channelOpened(let id):
            channelOpened(id)
        case .channelClosed:
            channelClosed()
        case .pushAccepted(let accepted) where accepted.incarnation == Channel.incarnation:
            toldAll(accepted, into: &outcome)
        case .pushRefused(let refused) where refused.incarnation == Channel.incarnation:
            channelRefused(refused, now: now, into: &outcome)
        case .pushLost(let lost) where lost.incarnation == Channel.incarnation:
            channelUnanswered(lost, now: now)
        case .pushAccepted(let accepted) where accepted.verb == .alert:
            answered(accepted)
        case .pushRefused(let refused) where refused.verb == .alert:
            refusedAlert(refused, now: now, into: &outcome)
        case .pushLost(let lost) where lost.verb == .alert:
            unanswered(lost)
        case .pushAccepted(let accepted):
            let isFinal = order.phase.isFinal
            changeCard(accepted.device, accepted.incarnation, into: &outcome) {
                $0.accepted(accepted, orderIsFinal: isFinal)
            }
            if accepted.verb == .start { join(accepted) }
        case .pushRefused(let refused):
            changeCard(refused.device, refused.incarnation, into: &outcome) { $0.refused(refused, now: now) }
            // Until the device stream says which token it has now.
            if refused.verb == .start, refused.remedy == .forgetToken { devices[refused.device]?.hasStartToken = false }
        case .pushLost(let lost):
            let phase = order.phase
            changeCard(lost.device, lost.incarnation, into: &outcome) { $0.lost(lost, orderPhase: phase, now: now) }
            if lost.verb == .start { mayHaveJoined(lost) }
        case .timerRang(let timer):
            rang(timer, now: now, policy: policy, partnerFacts: partnerFacts, into: &outcome)
        case .courierSeen(let courier):
            // A sight of somebody who left the order confirms nothing (field case D23).
            let isHere = !order.phase.isFinal && order.courierState != .unassigned
            if isHere, courier == order.courier?.id { asOf = now }
        case .commandRequested(let command):
            pendingCommand = command
            commandHeardAt = now
        case .parked:
            isParked = true
        case .unparked:
            isParked = false
        case .other:
            break
        }
        return false
    }

    mutating func fold(_ fact: PartnerFact, all: [PartnerFact]?, heard now: Instant, into outcome: inout Outcome) {
        let attempt = order.attemptFailedAt
        if let all {
            let folded = Order.fold(all)
            order = folded.order
            outcome.effect = folded.facts.first { $0.fact.reference == fact.reference }?.effect
        } else {
            outcome.effect = order.evolve(fact)
        }
        if order.attemptFailedAt != attempt { attemptHeardAt = order.attemptFailedAt == nil ? nil : now }
        if let answered = fact.data.answers, answered == pendingCommand?.id { forgetCommand() }
        if order.phase.isFinal { forgetCommand() }
        let isFinal = order.phase.isFinal
        for index in activities.indices { activities[index].orderMoved(isFinal: isFinal) }
        for customer in order.customers { open(customer, into: &outcome) }
    }

    mutating func forgetCommand() {
        pendingCommand = nil
        commandHeardAt = nil
    }

    mutating func learn(_ snapshot: DeviceSnapshot, into outcome: inout Outcome) {
        if let known = devices[snapshot.device], known.generation > snapshot.generation { return }
        let known = devices.updateValue(snapshot, forKey: snapshot.device)
        if known?.generation != snapshot.generation { placeMayBeFree(on: snapshot.device) }
        if !snapshot.settings.activitiesEnabled { withdraw(snapshot.device, .disabled, into: &outcome) }
        // The system ends all cards of an app whose leave for frequent pushes changes (rule 13).
        if let known, known.settings.frequentPushes != snapshot.settings.frequentPushes {
            withdraw(snapshot.device, .setting, into: &outcome)
        }
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

extension OrderStream {
    /// Until when what cards show may be believed; nil: it cannot be any more.
    package func promisedUntil(policy: Policy) -> Instant? { promise(policy, now: nil).until }

    /// What a card of this order should show at `now`.
    @inline(__always)
    package func content(at now: Instant, policy: Policy) -> Content {
        Content(
            order,
            isStale: !order.phase.isFinal && promise(policy, now: now).isBroken(at: now),
            pendingCommand: pendingCommand?.command,
            showsProgress: policy.contract.showsProgress
        )
    }

    @inline(__always)
    func promise(_ policy: Policy, now: Instant?) -> Promise {
        Promise(order, confirmedAt: asOf ?? now ?? Instant(seconds: 0), isParked: isParked, policy: policy)
    }
}
