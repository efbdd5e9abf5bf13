extension Route {
    /// Who may use a route. `docs/access.md` shows the same matrix, and a test compares the two.
    package enum Access: Hashable, Sendable {
        /// Without a key.
        case open
        case roles(Set<Role>)
    }

    package var access: Access {
        switch self {
        case .health, .readiness, .openAPI, .index, .optionsEvents: .open
        case .postEvents: .roles([.ingest])
        case .getOrder, .getDevice: .roles([.support, .supervisor, .device])
        case .getTimeline, .getExplanation: .roles([.support, .supervisor])
        case .putOrderCustomer: .roles([.ingest, .device])
        case .postCommand, .askActivity, .putActivity, .postReport, .putDevice, .deleteDevice, .postRunning:
            .roles([.device])
        case .metrics: .roles([.operator])
        }
    }

    /// Whether a source's signature may stand in the place of a key.
    var takesSignatures: Bool { self == .postEvents }
}
