/// How kind the world is to an app.
package enum Preset: String, Sendable, CaseIterable, Codable {
    /// As Apple's pages have it: the app is always woken and always gets its token.
    case docs
    /// As developers report it; the numbers are ours and arbitrary (contract 35, 4.4).
    case field
}

/// What the app is doing on the phone.
package enum AppState: String, Sendable, CaseIterable, Codable {
    case foreground
    case background
    case terminated
    case forceQuit

    var isRunning: Bool { self == .foreground || self == .background }
}

/// The numbers behind a preset, and the knobs that overrule them.
struct PhoneRules: Sendable {
    /// Starts a phone allows in a window, and the window in microseconds (contract 33, 5.11).
    struct StartBudget: Sendable {
        let count: Int
        let window: Int64
    }

    let startBudget: StartBudget?
    /// Cards of one app at a time (contract 5.10).
    let maximumCards: Int?
    let urgentBudget: UrgentBudget.Limits?

    init(_ preset: Preset, _ knobs: Knobs.Phones) {
        self.preset = preset
        self.knobs = knobs
        let isField = preset == .field
        startBudget = (knobs.startBudget ?? (isField ? 10 : nil))
            .map { StartBudget(count: $0, window: knobs.startBudgetWindow) }
        maximumCards = knobs.maximumCards ?? (isField ? 5 : nil)
        // A count that is turned on alone holds for both levels.
        let normal = knobs.urgentPerHour ?? (isField ? 60 : nil)
        let frequent = knobs.urgentPerHourFrequent ?? (isField ? 240 : nil)
        urgentBudget = (normal ?? frequent).map { .init(normal: normal ?? $0, frequent: frequent ?? $0) }
    }

    private let preset: Preset
    private let knobs: Knobs.Phones

    static func initialState(_ preset: Preset) -> AppState {
        switch preset {
        case .docs: .background
        case .field: .terminated
        }
    }

    /// How likely the app is awake long enough to see a token or an end (contract 35).
    func wakeProbability(_ state: AppState) -> Double {
        if let share = knobs.wake[state] { return share }
        return switch (preset, state) {
        case (.docs, _), (.field, .foreground): 1
        case (.field, .background): 0.95
        case (.field, .terminated): 0.5
        case (.field, .forceQuit): 0.35
        }
    }
}
