/// What a fact did to the phase in the final fold.
package enum FoldEffect: String, Hashable, Sendable {
    /// The phase after it differs.
    case changed
    /// The phase was kept: another track, links, a repeated phase.
    case none
    /// Its phase lies below the one already reached.
    case superseded
    /// A void targets it.
    case voided
    /// A second, other final.
    case contradiction
    /// Same type and content under a new id.
    case repeated = "repeat"
    /// Outside the vocabulary.
    case unknown
}

/// One fact of a full fold with its effect and the phase after it.
package struct FoldedFact: Hashable, Sendable {
    package let fact: PartnerFact
    package let effect: FoldEffect
    package let phase: Phase
}

extension Order {
    /// Whether `fact` can be applied to this value as it stands. If not, fold all facts again.
    package func accepts(_ fact: PartnerFact) -> Bool {
        guard fact.type != .known(.eventVoided) else { return false }
        return lastKey.map { $0 < fact.key } ?? true
    }

    /// Folds all partner facts of an order, in any order of arrival.
    package static func fold(_ facts: [PartnerFact]) -> (order: Order, facts: [FoldedFact]) {
        var order = Order()
        let facts = facts.sorted { $0.key < $1.key }
        order.voided = retracted(by: facts)
        var folded: [FoldedFact] = []
        folded.reserveCapacity(facts.count)
        for fact in facts {
            let effect = order.evolve(fact)
            folded.append(FoldedFact(fact: fact, effect: effect, phase: order.phase))
        }
        return (order, folded)
    }

    /// What the voids among `facts` retract, the latest word first: a void that is itself retracted retracts nothing.
    private static func retracted(by facts: [PartnerFact]) -> Set<EventReference> {
        var retracted: Set<EventReference> = []
        for fact in facts.reversed() where fact.type == .known(.eventVoided) && !retracted.contains(fact.reference) {
            if let target = fact.data.voids { retracted.insert(target) }
        }
        return retracted
    }

    /// Applies one fact that `accepts` allowed.
    @discardableResult
    package mutating func evolve(_ fact: PartnerFact) -> FoldEffect {
        if lastKey?.time != fact.key.time || lastKey?.rank != fact.key.rank {
            tellings.removeAll(keepingCapacity: true)
        }
        lastKey = fact.key
        if fact.type == .attemptExpired { return expireAttempt(at: fact.key.time) }
        revision += 1
        note(fact.flags)
        guard !voided.contains(fact.reference) else { return .voided }
        let telling = Telling(type: fact.type, digest: fact.contentDigest)
        let isRepeat = tellings.contains(telling)
        if !isRepeat { tellings.append(telling) }
        guard case .known(let type) = fact.type else {
            flags.insert(.unknownType)
            return .unknown
        }
        merge(fact.data)
        moveTracks(type, fact)
        let before = reached
        let effect = movePhase(type, fact)
        judgeLateness()
        if isRepeat { return .repeated }
        return reached != before ? .changed : effect
    }

    private mutating func note(_ noticed: FactFlags) {
        if noticed.contains(.timeAssumed) { flags.insert(.timeAssumed) }
        if noticed.contains(.clockAhead) { flags.insert(.clockAhead) }
        if noticed.contains(.idShared) { flags.insert(.idShared) }
    }

    private mutating func merge(_ data: PartnerData) {
        if let customer = data.customer, !customers.contains(customer) { customers.append(customer) }
        if let stated = data.restaurant {
            var merged = restaurant ?? PartnerData.Restaurant()
            merged.id = stated.id ?? merged.id
            merged.name = stated.name ?? merged.name
            merged.timeZone = stated.timeZone ?? merged.timeZone
            restaurant = merged
        }
        if let stated = data.courier { merge(stated) }
        switch data.eta {
        case .absent: break
        case .unknown: eta = nil
        case .known(let promised):
            eta = promised
            firstPromised = firstPromised ?? promised
        }
        switch data.pickupETA {
        case .absent: break
        case .unknown: pickupETA = nil
        case .known(let promised): pickupETA = promised
        }
        references.merge(data.references) { _, newer in newer }
        displayNumber = data.displayNumber ?? displayNumber
        scheduledFor = data.scheduledFor ?? scheduledFor
        progress = data.progress ?? progress
        batch = data.batch ?? batch
        reason = data.reason ?? reason
    }

    /// A courier with another id is another person: the old name must not stay.
    private mutating func merge(_ stated: PartnerData.Courier) {
        var merged = courier ?? PartnerData.Courier()
        if let id = stated.id, id != merged.id { merged = PartnerData.Courier(id: id) }
        merged.name = stated.name ?? merged.name
        courier = merged
    }

    private mutating func moveTracks(_ type: EventType.Known, _ fact: PartnerFact) {
        kitchen = type.kitchen ?? kitchen
        courierState = type.courier ?? courierState
        switch type {
        case .courierUnassigned:
            courier = nil
        case .courierReassigned:
            // Somebody else comes: a name that this event does not give is not known.
            if fact.data.courier == nil { courier = nil }
        case .courierNearby:
            flags.insert(.nearby)
        case .attemptFailed:
            flags.insert(.attemptFailed)
            attemptFailedAt = fact.key.time
            eta = nil
        case .orderOnTheWay, .orderPickedUp:
            retryBegins()
        case .cancellationRequested:
            flags.insert(.cancellationRequested)
        case .cancellationDenied:
            flags.remove(.cancellationRequested)
        case .orderPlaced, .orderAccepted, .orderRejected, .orderPreparing, .orderReady, .courierAssigned,
            .courierToPickup, .courierNearPickup, .courierAtPickup, .courierWaiting,
            .orderDelivered, .orderClosed, .orderCancelled, .orderReturning, .orderReturned, .orderDisposed,
            .orderReopened, .eventVoided, .etaChanged, .courierLocation, .orderBatched:
            break
        }
    }

    private mutating func movePhase(_ type: EventType.Known, _ fact: PartnerFact) -> FoldEffect {
        if type == .orderReopened { return reopen(fact) }
        if type == .eventVoided {
            flags.insert(.corrected)
            return .none
        }
        guard let claimed = type.phase else { return .none }
        guard let present = reached, present.isFinal else {
            guard let present = reached, claimed.progress <= present.progress else {
                take(claimed, at: fact.key.time)
                // A rejection ends the order as cancelled; without words of its own it is the reason.
                if type == .orderRejected, fact.data.reason == nil { reason = "rejected" }
                return .changed
            }
            return claimed == present ? .none : .superseded
        }
        if !claimed.isFinal { return .superseded }
        if claimed == present { return .none }
        if present == .failed, claimed == .returned {
            take(claimed, at: fact.key.time)
            return .changed
        }
        flags.insert(.contradiction)
        if since == fact.key.time, claimed.finalPreference > present.finalPreference {
            take(claimed, at: fact.key.time)
            return .changed
        }
        return .contradiction
    }

    private mutating func reopen(_ fact: PartnerFact) -> FoldEffect {
        flags.insert(.reopened)
        flags.remove([.cancellationRequested, .nearby])
        retryBegins()
        let target = fact.data.phase ?? .accepted
        guard target != reached else { return .none }
        take(target, at: fact.key.time)
        return .changed
    }

    /// A failed attempt makes the order failed after this time, from when it was heard of, without another attempt.
    package static let attemptWait = Duration.seconds(3600)

    /// Nobody tried again: the delivery failed, as if the courier had said so. Of an attempt that was made since the wait
    /// began this says nothing; clocks may differ by what is not called ahead.
    private mutating func expireAttempt(at time: Instant) -> FoldEffect {
        guard let attemptFailedAt, attemptFailedAt <= time - Self.attemptWait + .seconds(300), !phase.isFinal else {
            return .none
        }
        take(.failed, at: time)
        reason = "attempt_expired"
        return .changed
    }

    private mutating func retryBegins() {
        flags.remove(.attemptFailed)
        attemptFailedAt = nil
    }

    private mutating func take(_ phase: Phase, at time: Instant) {
        reached = phase
        since = time
    }

    /// An order is late from this far beyond its first promise, and no longer late under the other (engine rules,
    /// section 2).
    package static let lateBeyond = Duration.seconds(300)
    package static let lateUntil = Duration.seconds(180)

    private mutating func judgeLateness() {
        guard let eta, let firstPromised else {
            flags.remove(.late)
            return
        }
        if eta > firstPromised + Self.lateBeyond {
            flags.insert(.late)
        } else if eta < firstPromised + Self.lateUntil {
            flags.remove(.late)
        }
    }
}
