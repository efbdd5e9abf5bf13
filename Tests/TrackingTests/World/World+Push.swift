import Testing
import Tracking

extension OrderStream {
    /// What has slots: the cards, and what stands for those that listen to the channel.
    var cards: [Activity] { activities + (channel.map { [$0.card] } ?? []) }
}

/// The sender and APNs.
extension World {
    enum Fate: CaseIterable {
        case accepted
        case refused
        case lostOnTheWay
        case lostOnTheWayBack
    }

    /// Claims one intention that is due; false when there is none.
    mutating func claim() -> Bool {
        let busy = Set(pushes.map(\.card))
        var candidates: [(OrderID, Activity, Intention)] = []
        for (id, stream) in orders.sorted(by: { $0.key.value < $1.key.value }) {
            for card in stream.cards {
                guard let intention = card.intention, let due = intention.dueAt, due <= now else { continue }
                let key = CardKey(order: id, device: card.device, incarnation: card.incarnation)
                if !busy.contains(key), !card.startInFlight { candidates.append((id, card, intention)) }
            }
        }
        guard let (id, card, intention) = numbers.one(of: candidates) else { return claimAlert() }
        let key = CardKey(order: id, device: card.device, incarnation: card.incarnation)
        let push = Push(
            order: id,
            device: card.device,
            incarnation: card.incarnation,
            intention: intention.leaving(at: now),
            token: (intention.verb == .start ? startTokens[card.device] : updateTokens[key]) ?? 0,
            generation: card.tokenGeneration,
            stamp: max(now.seconds, card.lastStamp + 1)
        )
        violations += record.claimed(push)
        pushes.append(push)
        if intention.verb == .start { tell(id, .startClaimed(card.device, incarnation: card.incarnation)) }
        return true
    }

    /// Claims an alert in the place of a card.
    private mutating func claimAlert() -> Bool {
        let busy = Set(pushes.map(\.card))
        var candidates: [(OrderStream, DeviceID, Intention)] = []
        for (_, stream) in orders.sorted(by: { $0.key.value < $1.key.value }) {
            for (device, fallback) in stream.fallbacks.sorted(by: { $0.key.value < $1.key.value }) {
                guard let intention = fallback.intention, let due = intention.dueAt, due <= now else { continue }
                let key = CardKey(order: stream.id, device: device, incarnation: Fallback.incarnation)
                if !busy.contains(key) { candidates.append((stream, device, intention)) }
            }
        }
        guard let (stream, device, intention) = numbers.one(of: candidates) else { return false }
        let push = Push(
            order: stream.id,
            device: device,
            incarnation: Fallback.incarnation,
            intention: intention.leaving(at: now),
            token: deviceTokens[device] ?? 0,
            generation: 0,
            stamp: now.seconds
        )
        violations += record.claimedAlert(push, of: stream)
        pushes.append(push)
        return true
    }

    /// APNs answers one push, or does not; false when none is under way.
    mutating func answer(_ fates: [Fate]) -> Bool {
        guard let index = pushes.indices.randomElement(using: &numbers), let fate = numbers.one(of: fates) else {
            return false
        }
        let push = pushes.remove(at: index)
        let outcome = outcome(of: push, fate)
        if case .pushAccepted = outcome { record.settled(push, isLost: false) }
        if case .pushLost = outcome { record.settled(push, isLost: true) }
        tell(push.order, outcome)
        return true
    }

    private mutating func outcome(of push: Push, _ fate: Fate) -> OrderStreamFact {
        if let channel = push.intention.channel, push.incarnation == Tracking.Channel.incarnation,
            !channels.contains(channel)
        {
            return .pushRefused(refusal(push, .forgetToken, since: nil))
        }
        // The sender lets an alert go that has grown too old.
        if push.intention.verb == .alert, push.intention.alerts.isEmpty {
            return .pushRefused(refusal(push, .drop, since: nil))
        }
        if let death = phones[push.device]?.deadSince(push), death.isDead, fate != .lostOnTheWay {
            return .pushRefused(refusal(push, .forgetToken, since: death.since))
        }
        switch fate {
        case .accepted:
            if push.intention.verb.isOfChannel { return change(push) }
            reach(push)
            let content = push.intention.content
            return .pushAccepted(
                PushAccepted(
                    device: push.device,
                    incarnation: push.incarnation,
                    verb: push.intention.verb,
                    revision: push.intention.revision,
                    priority: push.intention.priority,
                    alerts: push.intention.alerts,
                    shown: Shown(
                        content,
                        orderRevision: push.intention.orderRevision,
                        stamp: push.stamp,
                        at: now,
                        staleAt: now + push.intention.staleAfter
                    )
                )
            )
        case .refused:
            return .pushRefused(refusal(push, .retry, since: nil))
        case .lostOnTheWay, .lostOnTheWayBack:
            if fate == .lostOnTheWayBack { reach(push) }
            return .pushLost(
                PushLost(
                    device: push.device,
                    incarnation: push.incarnation,
                    verb: push.intention.verb,
                    revision: push.intention.revision,
                    stamp: push.stamp,
                    priority: push.intention.priority,
                    alerts: push.intention.alerts
                )
            )
        }
    }

    /// A channel is made or deleted.
    private mutating func change(_ push: Push) -> OrderStreamFact {
        if let channel = push.intention.channel {
            channels.remove(channel)
            return .channelClosed
        }
        let channel = ChannelID("channel\(fresh())")
        channels.insert(channel)
        return .channelOpened(channel)
    }

    private mutating func reach(_ push: Push) {
        if push.intention.verb.isOfChannel {
            _ = change(push)
            return
        }
        if push.incarnation == Tracking.Channel.incarnation {
            for id in phones.keys { phones[id]?.hear(push, at: now) }
            return
        }
        let serial = fresh()
        phones[push.device]?.receive(push, at: now, newCard: ActivityID("card\(serial)"), newToken: serial)
    }

    func refusal(_ push: Push, _ remedy: RefusalRemedy, since: Instant?) -> PushRefused {
        PushRefused(
            device: push.device,
            incarnation: push.incarnation,
            verb: push.intention.verb,
            revision: push.intention.revision,
            generation: push.generation,
            stamp: push.stamp,
            remedy: remedy,
            neverLeft: false,
            deadSince: since,
            digest: push.intention.content.digest
        )
    }
}
