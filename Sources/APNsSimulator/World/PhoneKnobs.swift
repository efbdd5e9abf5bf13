extension Knobs {
    /// What phones do where Apple's pages leave it open, for all phones at once. Where a member may be nil, nil leaves
    /// it to the phone's preset.
    struct Phones: Sendable, Codable {
        /// What becomes of a push of priority 10 for which the card has no budget left (contract 41).
        enum OverBudget: String, Sendable, CaseIterable, Codable {
            case drop
            /// Kept, the newest only, until there is budget again.
            case `defer`
        }

        /// What has a start token of its own (contract 24, C6); Apple does not say.
        enum StartTokenScope: String, Sendable, CaseIterable, Codable {
            /// One token starts every type, as a developer has seen it (F-785281).
            case app
            /// As the shape of ActivityKit's interface has it.
            case attributesType
        }

        /// Of phones made and tokens rotated from now on.
        var startTokenScope = StartTokenScope.app
        /// How likely an app is awake long enough to see a token or an end, by what it was doing (contract 35).
        var wake: [AppState: Double] = [:]
        /// How long a start keeps the app running, microseconds (contract 35).
        var awake: Int64 = 10 * 1_000_000
        /// Starts a phone allows within `startBudgetWindow` (contract 33).
        var startBudget: Int?
        var startBudgetWindow: Int64 = 600 * 1_000_000
        /// Cards of one app at a time (contract 5.10).
        var maximumCards: Int?
        /// Pushes of priority 10 a card takes in an hour, normally and with frequent updates (contract 41).
        var urgentPerHour: Int?
        var urgentPerHourFrequent: Int?
        var overBudget = OverBudget.drop
        /// An `end` counts whatever its timestamp (forum observation F-776165; Apple's pages say otherwise).
        var endIgnoresTimestamp = false
        /// A push with the timestamp of the newest applied one counts (contract 38).
        var appliesTies = true
        /// How far a timestamp may lie ahead, microseconds; nil: as far as it likes (contract 38).
        var timestampAhead: Int64? = Card.activeLife
        /// How long an alert keeps the Dynamic Island expanded, microseconds.
        var alertDuration: Int64 = 5 * 1_000_000
    }
}
