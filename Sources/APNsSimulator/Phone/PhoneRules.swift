/// How kind the world is to an app.
package enum Preset: String, Sendable, CaseIterable {
    /// As Apple's pages have it: the app is always woken and always gets its token.
    case docs
    /// As developers report it; the numbers are ours and arbitrary (contract 35, 4.4).
    case field
}

/// What the app is doing on the phone.
package enum AppState: String, Sendable, CaseIterable {
    case foreground
    case background
    case terminated
    case forceQuit

    var isRunning: Bool { self == .foreground || self == .background }
}

/// The numbers behind a preset.
struct PhoneRules: Sendable {
    /// Starts a phone allows in a window, and the window in microseconds (contract 33, 5.11).
    struct StartBudget: Sendable {
        let count: Int
        let window: Int64
    }

    let initialState: AppState
    let startBudget: StartBudget?
    /// Cards of one app at a time (contract 5.10).
    let maximumCards: Int?

    init(_ preset: Preset) {
        switch preset {
        case .docs:
            initialState = .background
            startBudget = nil
            maximumCards = nil
        case .field:
            initialState = .terminated
            startBudget = StartBudget(count: 10, window: 600 * 1_000_000)
            maximumCards = 5
        }
        self.preset = preset
    }

    private let preset: Preset

    /// How likely the app is awake long enough to see a token or an end (contract 35).
    func wakeProbability(_ state: AppState) -> Double {
        switch (preset, state) {
        case (.docs, _), (.field, .foreground): 1
        case (.field, .background): 0.95
        case (.field, .terminated): 0.5
        case (.field, .forceQuit): 0.35
        }
    }
}
