/// What decisions depend on of a contract.
package struct ContractTraits: Hashable, Sendable {
    /// The state counts minutes: time alone changes the card (engine rule 4).
    package let showsMinutes: Bool
    /// The state draws on the partner's progress: a new figure changes the card.
    package let showsProgress: Bool
    /// No card starts before an arrival time is known.
    package let holdsUntilETA: Bool
    /// Pushes may start cards; without it only the app does.
    package let startsByPush: Bool
    /// Final phases that end the card without content and take it away at once; the raw value is the phase's name.
    package let removes: Set<DoorstepAttributes.Phase>

    init(attributes: [ContractField], state: [ContractField], startsByPush: Bool) {
        showsMinutes = state.contains { $0.showsMinutes }
        showsProgress = state.contains { $0.showsProgress }
        holdsUntilETA = (attributes + state).contains { $0.holds }
        self.startsByPush = startsByPush
        removes = (attributes + state).reduce(into: []) { $0.formUnion($1.source.table?.removes ?? []) }
    }
}

extension ContractField {
    fileprivate var showsMinutes: Bool {
        switch source {
        case .moment(_, .minutes): true
        case .moment(_, .unixSeconds), .moment(_, .swiftDate), .constant, .phase, .progress, .text, .count, .flag,
            .flagWords:
            false
        }
    }

    fileprivate var showsProgress: Bool {
        switch source {
        case .progress: true
        case .constant, .phase, .text, .count, .flag, .flagWords, .moment: false
        }
    }
}

extension ContractSource {
    /// What it says by phase; nil when the phase plays no part.
    var table: PhaseTable? {
        switch self {
        case .phase(let table): table
        case .progress(let steps): steps
        case .constant, .text, .count, .flag, .flagWords, .moment: nil
        }
    }
}
