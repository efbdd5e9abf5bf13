internal import JSONText

/// What `update` and `end` do to a card (contract 36, 38-41, 43, 44).
extension Phone {
    mutating func change(
        _ index: Int,
        _ payload: ActivityPayload,
        _ push: Push,
        _ conditions: Conditions,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> Reaction {
        if let verdict = cards[index].obstacle(to: payload, conditions.knobs, at: now.phone) {
            return Reaction(verdict: verdict, card: index)
        }
        if let reaction = throttle(index, push, conditions, at: now.phone) { return reaction }
        guard let schema = conditions.schema(cards[index].attributesType) else {
            return Reaction(verdict: .unknownAttributesType, card: index)
        }
        var content: Card.Content?
        if payload.event == .update || payload.contentState != nil {
            switch Card.Content.decode(payload.contentState, schema) {
            case .success(let decoded): content = decoded
            case .failure(let fault): return Reaction(verdict: .stateUndecodable, detail: fault.text, card: index)
            }
        }
        let size = cards[index].attributes.count + (content?.bytes.count ?? 0)
        guard size <= Card.sizeLimit else { return Reaction(verdict: .tooLarge, card: index) }
        switch payload.event {
        case .end:
            cards[index].end(content, payload, at: now.phone)
            let calls = reportEnd(of: index, conditions, at: now, using: &generator)
            return Reaction(verdict: .applied, card: index, calls: calls)
        case .start, .update:
            if let content { cards[index].update(content, payload, at: now.phone) }
            return Reaction(verdict: .applied, card: index)
        }
    }

    /// Charges a push of priority 10; a reaction when there is nothing left to charge (contract 41).
    private mutating func throttle(
        _ index: Int,
        _ push: Push,
        _ conditions: Conditions,
        at now: Int64
    ) -> Reaction? {
        guard push.priority == 10, let limits = rules(conditions).urgentBudget else { return nil }
        let limit = limits.limit(isFrequent: frequentPushes)
        guard !cards[index].urgentBudget.charge(limit, at: now) else { return nil }
        switch conditions.knobs.overBudget {
        case .drop: return Reaction(verdict: .urgentBudgetExceeded, card: index)
        case .defer:
            let replaced = deferred.updateValue(push, forKey: index)
            return Reaction(verdict: .deferred, card: index, replaced: replaced?.sequence)
        }
    }

    /// The report of a card's end, if the app is awake to notice.
    mutating func reportEnd(
        of index: Int,
        _ conditions: Conditions,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> [AppCall] {
        guard isInstalled, cards[index].isTokenKnown, !cards[index].isEndReported,
            isAwake(conditions, at: now, using: &generator)
        else { return [] }
        cards[index].isEndReported = true
        return [.report(card: index)]
    }
}

extension Card.Content {
    /// What a decoder complained about.
    struct Fault: Error {
        let text: String
    }

    /// The `content-state` as the app's type has it, or why it has not.
    static func decode(_ state: JSON?, _ schema: ActivitySchema) -> Result<Card.Content, Fault> {
        if let fault = schema.state.fault(in: state) { return .failure(Fault(text: "content-state: \(fault)")) }
        return .success(
            Card.Content(
                bytes: state?.serialized() ?? [],
                phase: state?[schema.phaseKey]?.stringValue,
                revision: state?[schema.revisionKey]?.int64Value
            )
        )
    }
}
