package import JSONText

/// How the cards of one app are written: from canonical fields to the properties of its own types.
///
/// Made by reading a contract file, which checks it, so that whatever a contract renders a default `JSONDecoder` reads
/// into the types it describes (contract 3.6.1).
package struct Contract: Hashable, Sendable {
    /// Names the contract for good: a card keeps the contract it was started with.
    package let id: String
    /// The Swift name of the app's `ActivityAttributes` type.
    package let attributesType: String
    package let attributes: [ContractField]
    package let state: [ContractField]
    package let traits: ContractTraits

    init(
        id: String,
        attributesType: String,
        attributes: [ContractField],
        state: [ContractField],
        startsByPush: Bool = true
    ) {
        self.id = id
        self.attributesType = attributesType
        self.attributes = attributes
        self.state = state
        traits = ContractTraits(attributes: attributes, state: state, startsByPush: startsByPush)
    }

    /// Appends the static part of a card, for the start push.
    package func writeAttributes(of card: CanonicalCard, to json: inout JSONWriter) { write(attributes, card, &json) }

    /// Appends the whole dynamic part of a card; what is left out is lost, as nothing is merged (contract 3.6.7).
    package func writeState(of card: CanonicalCard, to json: inout JSONWriter) { write(state, card, &json) }

    /// Whether a card of this phase is taken away because the app's type has no word for it.
    package func removes(_ phase: DoorstepAttributes.Phase) -> Bool { traits.removes.contains(phase) }

    /// The same contract where every field says the longer of what the card has and of what is sent for want of it: no
    /// card that knows no more than this one is larger.
    package func longest(for card: CanonicalCard) -> Contract {
        Contract(
            id: id,
            attributesType: attributesType,
            attributes: attributes.map { $0.longest(in: card) },
            state: state.map { $0.longest(in: card) },
            startsByPush: traits.startsByPush
        )
    }

    private func write(_ fields: [ContractField], _ card: CanonicalCard, _ json: inout JSONWriter) {
        json.beginObject()
        for field in fields {
            json.name(field.name)
            json.value(field.value(in: card))
        }
        json.endObject()
    }
}
