internal import Crypto
private import JSONText

extension Phone {
    /// A push that APNs accepted: delivered at once, or kept while the phone is offline.
    mutating func accept(
        _ push: Push,
        schema: ActivitySchema,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> Reaction {
        guard isInstalled else { return Reaction(verdict: .uninstalled) }
        guard isOnline else {
            guard push.expiration != 0 else { return Reaction(verdict: .expired) }
            stored = push
            return Reaction(verdict: .stored)
        }
        return deliver(push, schema: schema, at: now, using: &generator)
    }

    /// The phone is back: the one stored push arrives, unless its time has passed (contract 29).
    mutating func comeOnline(
        schema: ActivitySchema,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> (push: Push, reaction: Reaction)? {
        isOnline = true
        guard let push = stored else { return nil }
        stored = nil
        if let expiration = push.expiration, expiration <= now.phoneSeconds {
            return (push, Reaction(verdict: .expired))
        }
        return (push, deliver(push, schema: schema, at: now, using: &generator))
    }

    private mutating func deliver(
        _ push: Push,
        schema: ActivitySchema,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> Reaction {
        if push.kind == .device { return notify(push) }
        guard let payload = push.payload else { return Reaction(verdict: .malformed) }
        switch (payload.event, push.kind) {
        case (.start, .start):
            return start(payload, push, schema: schema, at: now, using: &generator)
        case (.update, .update), (.end, .update), (.update, .channel), (.end, .channel):
            guard let card = push.card else { return Reaction(verdict: .wrongTokenKind) }
            return change(card, payload, schema: schema, at: now, using: &generator)
        case (.start, .update), (.start, .channel), (.update, .start), (.end, .start), (_, .device):
            return Reaction(verdict: .wrongTokenKind)
        }
    }

    private mutating func notify(_ push: Push) -> Reaction {
        guard allowsNotifications else { return Reaction(verdict: .notificationsOff) }
        notifications += 1
        guard let alert = push.alert else { return Reaction(verdict: .notified) }
        guard alert.isReadable else { return Reaction(verdict: .malformed, detail: "no alert") }
        // A newer one of the same collapse id takes the place of the one on the screen.
        alerts.removeAll { $0.collapseID != nil && $0.collapseID == alert.collapseID }
        alerts.append(alert)
        return Reaction(verdict: .notified)
    }

    // MARK: - Starting (contract 32-37)

    private mutating func start(
        _ payload: ActivityPayload,
        _ push: Push,
        schema: ActivitySchema,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> Reaction {
        if let verdict = obstacleToStart(payload, push.channel, at: now.phone) { return Reaction(verdict: verdict) }
        guard payload.attributesType == schema.attributesType else { return Reaction(verdict: .unknownAttributesType) }
        if let fault = schema.attributes.fault(in: payload.attributes) {
            return Reaction(verdict: .attributesUndecodable, detail: "attributes: \(fault)")
        }
        let content: Card.Content
        switch decode(payload.contentState, schema) {
        case .success(let decoded): content = decoded
        case .failure(let reaction): return reaction
        }
        let attributes = payload.attributes?.serialized() ?? []
        guard attributes.count + content.bytes.count <= Card.sizeLimit else { return Reaction(verdict: .tooLarge) }
        var card = Card(
            activity: .random(using: &generator),
            order: payload.attributes?[schema.orderKey]?.stringValue ?? "",
            incarnation: payload.attributes?[schema.incarnationKey]?.int64Value,
            attributes: attributes,
            content: content,
            timestamp: payload.timestamp,
            staleAt: payload.staleDate.map { $0 * 1_000_000 },
            updateToken: push.updateToken ?? "",
            channel: push.channel,
            // Nobody is asked about a card that listens to a channel (contract 4.4.2).
            isPromptAllowed: allowsPrompts || push.channel != nil,
            now: now
        )
        card.isTokenKnown = push.channel == nil && allowsPrompts && isAwake(using: &generator)
        recentStarts.append(now.phone)
        cards.append(card)
        let index = cards.count - 1
        return Reaction(
            verdict: .applied,
            card: index,
            calls: card.isTokenKnown ? [.activity(card: index)] : []
        )
    }

    private mutating func obstacleToStart(_ payload: ActivityPayload, _ channel: Int?, at now: Int64) -> Verdict? {
        if isSilentlyDead { return .silentlyDead }
        if !activitiesEnabled { return .activitiesDisabled }
        if !payload.hasAlert { return .alertMissing }
        if payload.channel != nil, channel == nil || majorVersion < 18 { return .channelUnsupported }
        if let budget = rules.startBudget {
            recentStarts.removeAll { $0 <= now - budget.window }
            if recentStarts.count >= budget.count { return .startBudgetExceeded }
        } else {
            recentStarts.removeAll()
        }
        if let maximum = rules.maximumCards, cards.count(where: { $0.ending(at: now) == nil }) >= maximum {
            return .tooManyActivities
        }
        return nil
    }

    // MARK: - Changing (contract 36, 38-40, 43, 44)

    private mutating func change(
        _ index: Int,
        _ payload: ActivityPayload,
        schema: ActivitySchema,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> Reaction {
        if let verdict = cards[index].obstacle(to: payload, at: now.phone) {
            return Reaction(verdict: verdict, card: index)
        }
        var content: Card.Content?
        if payload.event == .update || payload.contentState != nil {
            switch decode(payload.contentState, schema) {
            case .success(let decoded): content = decoded
            case .failure(let reaction): return reaction
            }
        }
        let size = cards[index].attributes.count + (content?.bytes.count ?? 0)
        guard size <= Card.sizeLimit else { return Reaction(verdict: .tooLarge, card: index) }
        switch payload.event {
        case .end:
            let dismissAt = payload.dismissalDate.map { $0 * 1_000_000 }
            cards[index].end(content, timestamp: payload.timestamp, dismissAt: dismissAt, at: now.phone)
            return Reaction(verdict: .applied, card: index, calls: reportEnd(of: index, using: &generator))
        case .start, .update:
            if let content {
                let staleAt = payload.staleDate.map { $0 * 1_000_000 }
                cards[index].update(content, timestamp: payload.timestamp, staleAt: staleAt)
            }
            return Reaction(verdict: .applied, card: index)
        }
    }

    /// The report of a card's end, if the app is awake to notice.
    mutating func reportEnd(of index: Int, using generator: inout some RandomNumberGenerator) -> [AppCall] {
        guard isInstalled, cards[index].isTokenKnown, !cards[index].isEndReported, isAwake(using: &generator) else {
            return []
        }
        cards[index].isEndReported = true
        return [.report(card: index)]
    }

    private enum Decoded {
        case success(Card.Content)
        case failure(Reaction)
    }

    private func decode(_ state: JSON?, _ schema: ActivitySchema) -> Decoded {
        if let fault = schema.state.fault(in: state) {
            return .failure(Reaction(verdict: .stateUndecodable, detail: "content-state: \(fault)"))
        }
        return .success(
            Card.Content(
                bytes: state?.serialized() ?? [],
                phase: state?[schema.phaseKey]?.stringValue,
                revision: state?[schema.revisionKey]?.int64Value
            )
        )
    }

    private func isAwake(using generator: inout some RandomNumberGenerator) -> Bool {
        let probability = rules.wakeProbability(application)
        return probability >= 1 || Double.random(in: 0..<1, using: &generator) < probability
    }
}

extension Hex {
    /// A push token as Live Activities have them: 160 digits (contract 1.1.5).
    static func token(using generator: inout some RandomNumberGenerator) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(80)
        for _ in 0..<10 {
            let word = generator.next()
            for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift))) }
        }
        return encode(bytes)
    }
}
