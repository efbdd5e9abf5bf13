package import Tracking

/// A push that left, as its phone got it.
package struct SentPush: Sendable {
    package let order: OrderID
    package let incarnation: Int
    package let at: Instant
    package let kind: Decision.Kind
    package let intention: Intention
}

/// Pushes, and what the phone and its app make of them.
extension Household {
    mutating func send(_ card: Activity, of index: Int) {
        guard let wanted = card.intention else { return }
        let intention = wanted.leaving(at: now)
        let stamp = max(now.seconds, card.lastStamp + 1)
        count(intention, incarnation: card.incarnation, of: index)
        if intention.verb == .start { tell(index, .startClaimed(card.device, incarnation: card.incarnation)) }
        tell(index, .pushAccepted(accepted(intention, incarnation: card.incarnation, stamp: stamp)))
        reach(card, intention, stamp: stamp, of: index)
    }

    /// An alert in the place of cards; one that waited until it tells nothing any more is let go.
    mutating func sendAlert(_ wanted: Intention, of index: Int) {
        let intention = wanted.leaving(at: now)
        if intention.alerts.isEmpty {
            return tell(index, .pushRefused(.tooOld(intention, device: device.id)))
        }
        count(intention, incarnation: Fallback.incarnation, of: index)
        let accepted = accepted(intention, incarnation: Fallback.incarnation, stamp: now.seconds)
        tell(index, .pushAccepted(accepted))
    }

    private mutating func count(_ intention: Intention, incarnation: Int, of index: Int) {
        let kind = orders[index].sends(intention, incarnation: incarnation)
        figures.count(kind, intention)
        guard settings.keepsPushes else { return }
        pushes.append(
            SentPush(
                order: orders[index].stream.id,
                incarnation: incarnation,
                at: now,
                kind: kind,
                intention: intention
            )
        )
    }

    private func accepted(_ intention: Intention, incarnation: Int, stamp: Int64) -> PushAccepted {
        PushAccepted(
            device: device.id,
            incarnation: incarnation,
            verb: intention.verb,
            revision: intention.revision,
            priority: intention.priority,
            alerts: intention.alerts,
            shown: Shown(
                intention.content,
                orderRevision: intention.orderRevision,
                stamp: stamp,
                at: now,
                staleAt: now + intention.staleAfter
            )
        )
    }

    private mutating func reach(_ card: Activity, _ intention: Intention, stamp: Int64, of index: Int) {
        switch intention.verb {
        case .start:
            var shown = PhoneCard(
                activity: ActivityID("\(orders[index].stream.id.value)/\(card.incarnation)"),
                origin: .server,
                incarnation: card.incarnation,
                startedAt: now,
                registersAt: now + settings.tokenDelay
            )
            shown.receive(intention, stamp: stamp, at: now)
            orders[index].cards.append(shown)
        case .alert, .openChannel, .closeChannel:
            break
        case .update, .end:
            guard let place = orders[index].cards.firstIndex(where: { $0.activity == card.activityID }) else { return }
            orders[index].cards[place].receive(intention, stamp: stamp, at: now)
        }
    }

    /// The app hands over the update token of a card.
    mutating func register(_ place: Int, of index: Int) {
        orders[index].cards[place].registersAt = nil
        let card = orders[index].cards[place]
        let registration = CardRegistration(
            device: device.id,
            activity: card.activity,
            hasToken: true,
            origin: card.origin,
            startedAt: card.startedAt,
            observedAt: now,
            incarnation: card.incarnation,
            sequence: nil
        )
        tell(index, .registered(registration))
    }

    /// The app starts a card itself and hands over its token as late as for others, or after `delay`.
    package mutating func startInApp(_ id: OrderID, tokenAfter delay: Duration) {
        guard let index = index(id) else { return }
        orders[index].cards.append(
            PhoneCard(
                activity: ActivityID("\(id.value)/app"),
                origin: .app,
                incarnation: nil,
                startedAt: now,
                registersAt: now + delay
            )
        )
    }

    /// The app asks whether it may start a card: a push start waits for it a while.
    package mutating func askToStart(_ id: OrderID) { tell(id, .asked(device.id)) }
}

extension PushRefused {
    fileprivate static func tooOld(_ intention: Intention, device: DeviceID) -> PushRefused {
        PushRefused(
            device: device,
            incarnation: Fallback.incarnation,
            verb: intention.verb,
            revision: intention.revision,
            generation: 0,
            stamp: 0,
            remedy: .drop,
            neverLeft: true,
            deadSince: nil,
            digest: intention.content.digest
        )
    }
}
