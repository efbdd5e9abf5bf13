package import JSONText

/// One stored property of the app's type and what is sent for it.
package struct ContractField: Hashable, Sendable {
    /// As the app's `CodingKeys` have it.
    package let name: String
    let source: ContractSource
    /// Sent while the source is unknown.
    let fallback: Fallback
    /// No card starts before the source is known.
    let holds: Bool

    package enum Fallback: Hashable, Sendable {
        case value(JSON)
        /// The moment of the newest word about the order, in the form of the field.
        case asOf(MomentForm)
    }

    init(_ name: String, _ source: ContractSource, fallback: Fallback = .value(.null), holds: Bool = false) {
        self.name = name
        self.source = source
        self.fallback = fallback
        self.holds = holds
    }

    /// What this field says of a card; total.
    func value(in card: CanonicalCard) -> JSON {
        source.value(in: card) ?? unknown(in: card)
    }

    /// What it says while its source is unknown.
    private func unknown(in card: CanonicalCard) -> JSON {
        switch fallback {
        case .value(let value): value
        case .asOf(let form): form.value(card.state.asOf, from: card.now)
        }
    }

    /// This field, saying always what takes more bytes: what a card tells of its source, or that it is unknown.
    func longest(in card: CanonicalCard) -> ContractField {
        guard source.mayBeUnknown else { return self }
        let sayings = [value(in: card), unknown(in: card)]
        let longest = sayings.max { $0.serialized().count < $1.serialized().count }
        return ContractField(name, .constant(longest ?? .null), holds: holds)
    }
}

/// Where the value of a field comes from, and how it is written.
package enum ContractSource: Hashable, Sendable {
    /// The same for every card.
    case constant(JSON)
    case phase(PhaseTable)
    /// The partner's figure; where there is none, the step of the phase if the contract has steps.
    case progress(steps: PhaseTable?)
    case text(CanonicalText)
    case count(CanonicalCount)
    case flag(CanonicalFlag)
    case flagWords(CanonicalFlag, whenTrue: JSON, whenFalse: JSON)
    case moment(CanonicalMoment, MomentForm)

    /// Nil when unknown.
    func value(in card: CanonicalCard) -> JSON? {
        switch self {
        case .constant(let value): value
        case .phase(let table): table[card.state.phase]
        case .progress(let steps): Self.share(card.progress) ?? steps?[card.state.phase]
        case .text(let field): field.value(in: card).map { .string($0) }
        case .count(let field): .integer(field.value(in: card))
        case .flag(let field): .bool(field.value(in: card))
        case .flagWords(let field, let whenTrue, let whenFalse): field.value(in: card) ? whenTrue : whenFalse
        case .moment(let field, let form): field.value(in: card).map { form.value($0, from: card.now) }
        }
    }

    /// Whether there are orders of which nothing is known here.
    var mayBeUnknown: Bool {
        switch self {
        case .progress(let steps): steps == nil
        case .text(let field): field != .order
        case .moment(let field, _): field != .asOf
        case .constant, .phase, .count, .flag, .flagWords: false
        }
    }

    private static func share(_ progress: Double?) -> JSON? {
        guard let progress, progress.isFinite else { return nil }
        return .double(min(max(progress, 0), 1))
    }
}

/// What a field says in each phase.
package struct PhaseTable: Hashable, Sendable {
    typealias Phase = DoorstepAttributes.Phase

    var values: [Phase: JSON] = [:]
    /// Final phases that the app has no word for: the card is taken away instead.
    var removes: Set<Phase> = []

    subscript(phase: Phase) -> JSON? { values[phase] }
}
