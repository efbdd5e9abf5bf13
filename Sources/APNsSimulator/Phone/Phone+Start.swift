private import Crypto
private import JSONText

/// Cards that begin with a push (contract 32-37).
extension Phone {
    mutating func start(
        _ payload: ActivityPayload,
        _ push: Push,
        _ conditions: Conditions,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> Reaction {
        if let type = push.startsOnly, type != payload.attributesType {
            return Reaction(verdict: .wrongTokenKind, detail: "the token starts \(type)")
        }
        if let obstacle = obstacleToStart(payload, push.channel, conditions, at: now.phone) { return obstacle }
        guard let schema = conditions.schema(payload.attributesType) else {
            return Reaction(verdict: .unknownAttributesType, detail: payload.attributesType)
        }
        if let fault = schema.attributes.fault(in: payload.attributes) {
            return Reaction(verdict: .attributesUndecodable, detail: "attributes: \(fault)")
        }
        let content: Card.Content
        switch Card.Content.decode(payload.contentState, schema) {
        case .success(let decoded): content = decoded
        case .failure(let fault): return Reaction(verdict: .stateUndecodable, detail: fault.text)
        }
        let attributes = payload.attributes?.serialized() ?? []
        guard attributes.count + content.bytes.count <= Card.sizeLimit else { return Reaction(verdict: .tooLarge) }
        recentStarts.append(now.phone)
        // Nobody is asked about a card that listens to a channel (contract 4.4.2).
        let needsPrompt = push.channel == nil
        if needsPrompt, prompt == .denied { return Reaction(verdict: .promptDenied, calls: deny(at: now)) }
        cards.append(
            Card(
                activity: .random(using: &generator),
                schema: schema,
                attributes: attributes,
                content: content,
                payload: payload,
                updateToken: push.updateToken ?? "",
                channel: push.channel,
                isPromptAllowed: !needsPrompt || prompt.allows,
                now: now
            )
        )
        let index = cards.count - 1
        return Reaction(
            verdict: .applied,
            card: index,
            isNewCard: true,
            calls: handOverToken(of: index, push.sequence, conditions, at: now, using: &generator)
        )
    }

    /// The app is woken for a card's new token, which needs the person's leave first (contract 35). `request` is the
    /// push that brought it about.
    mutating func handOverToken(
        of index: Int,
        _ request: Int?,
        _ conditions: Conditions,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> [AppCall] {
        guard isAwake(conditions, at: now, using: &generator) else {
            log.add("the app was not woken: nobody has the card's update token", request: request, at: now.phone)
            return []
        }
        awakeUntil = max(awakeUntil, now.phone + conditions.knobs.awake)
        guard cards[index].isPromptAllowed else { return [] }
        cards[index].isTokenKnown = true
        cards[index].tokenSeenWall = now.wall
        return [.activity(card: index)]
    }

    private mutating func obstacleToStart(
        _ payload: ActivityPayload,
        _ channel: Int?,
        _ conditions: Conditions,
        at now: Int64
    ) -> Reaction? {
        if isSilentlyDead { return Reaction(verdict: .silentlyDead) }
        if !activitiesEnabled { return Reaction(verdict: .activitiesDisabled) }
        if !payload.hasAlert { return Reaction(verdict: .alertMissing) }
        if payload.channel != nil, channel == nil || system < .channels {
            return Reaction(verdict: .channelUnsupported)
        }
        let rules = rules(conditions)
        if let budget = rules.startBudget {
            recentStarts.removeAll { $0 <= now - budget.window }
            if recentStarts.count >= budget.count {
                return Reaction(verdict: .startBudgetExceeded, detail: payload.attributesType)
            }
        } else {
            recentStarts.removeAll()
        }
        if let maximum = rules.maximumCards, cards.count(where: { $0.ending(at: now) == nil }) >= maximum {
            return Reaction(verdict: .tooManyActivities)
        }
        return nil
    }
}
