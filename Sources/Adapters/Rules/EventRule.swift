internal import JSONText

/// How a webhook, or each element of a list in it, becomes an event.
struct EventRule: Sendable {
    /// What becomes of a word that `types` does not list, or for which none of its choices applies.
    enum Otherwise: String, CaseIterable, Sendable {
        /// The word is the type: the event is kept and has no effect (field case D31).
        case keep
        /// There is no event.
        case skip
        /// The webhook is refused.
        case error
    }

    /// What a word means where its conditions hold.
    struct Choice: Hashable, Sendable {
        let conditions: [Condition]
        let type: String
    }

    /// The list whose elements become one event each; nil: the body becomes one.
    let each: BodyPath?
    let conditions: [Condition]
    let id: Template
    let subject: Template
    let time: (template: Template, unit: TimeUnit)?
    let word: Template
    let types: [String: [Choice]]
    let otherwise: Otherwise
    /// The ids of the events that words of type `event.voided` retract.
    let voids: [String: Template]
    let data: [DataMember]
}

extension EventRule {
    /// What the platform's word becomes at this place.
    enum Meaning {
        case type(String)
        case skipped
        case refused
    }

    func meaning(of word: String, at place: Place, adapter: String) -> Meaning {
        if let choice = types[word]?.first(where: { $0.conditions.hold(at: place) }) { return .type(choice.type) }
        switch otherwise {
        // A word that happens to be one of Doorstep's must not have its effect.
        case .keep: return .type(Vocabulary.types.contains(word) ? "\(adapter):\(word)" : word)
        case .skip: return .skipped
        case .error: return .refused
        }
    }
}
