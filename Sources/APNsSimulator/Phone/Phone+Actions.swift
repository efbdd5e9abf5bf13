private import Crypto

/// What a person, the system or the app does on the phone. Each returns what the app tells its server.
extension Phone {
    /// The app comes to the foreground: it uploads every token it sees and lists what runs.
    mutating func open(at now: Moment) -> [AppCall] {
        guard isInstalled else { return [] }
        application = .foreground
        guard customer != nil else { return [] }
        var calls: [AppCall] = [.register]
        for index in cards.indices where cards[index].ending(at: now.phone) == nil && cards[index].isPromptAllowed {
            if !cards[index].isTokenKnown { cards[index].tokenSeenWall = now.wall }
            cards[index].isTokenKnown = true
            calls.append(.activity(card: index))
        }
        for index in cards.indices where cards[index].ending(at: now.phone) != nil {
            guard cards[index].isTokenKnown, !cards[index].isEndReported else { continue }
            cards[index].isEndReported = true
            calls.append(.report(card: index))
        }
        return calls + [.running]
    }

    /// A swipe: the card is gone at once, and only a running app can tell (contract 46). `activity` nil swipes all.
    mutating func dismiss(activity: String?, at now: Moment) -> [AppCall] {
        var calls: [AppCall] = []
        for index in cards.indices where activity == nil || cards[index].activity.description == activity {
            guard cards[index].state(at: now.phone) != .dismissed else { continue }
            cards[index].remove(.swipe, at: now.phone)
            if isRunning(at: now), !cards[index].isEndReported {
                cards[index].isEndReported = true
                calls.append(.report(card: index))
            }
        }
        return calls
    }

    /// The Live Activities switch of the app. Off takes every card away.
    mutating func setActivities(enabled: Bool, at now: Moment) -> [AppCall] {
        activitiesEnabled = enabled
        // Who turns them on has allowed them.
        if enabled, prompt == .denied { prompt = .allowed }
        if !enabled { removeCards(at: now) }
        return registration(at: now)
    }

    /// Allow on a card that waits for it, or on all; with `always` no later card asks. The app is woken for the tokens.
    mutating func allow(
        activity: String?,
        always: Bool,
        _ conditions: Conditions,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> [AppCall] {
        if always { prompt = .always }
        var calls: [AppCall] = []
        for index in cards.indices where always || activity == nil || cards[index].activity.description == activity {
            guard !cards[index].isPromptAllowed, cards[index].ending(at: now.phone) == nil else { continue }
            cards[index].isPromptAllowed = true
            calls += handOverToken(of: index, nil, conditions, at: now, using: &generator)
        }
        return calls
    }

    /// Don't Allow: the cards go, and the app's Live Activities are off until the person turns them on in Settings.
    mutating func deny(at now: Moment) -> [AppCall] {
        prompt = .denied
        return setActivities(enabled: false, at: now)
    }

    /// The frequent-updates switch: any change ends all cards of the app (contract 42).
    mutating func setFrequentPushes(_ on: Bool, at now: Moment) -> [AppCall] {
        guard frequentPushes != on else { return [] }
        frequentPushes = on
        removeCards(at: now)
        return registration(at: now)
    }

    /// Leave for ordinary notifications, in Settings; cards stay.
    mutating func setNotifications(allowed: Bool, at now: Moment) -> [AppCall] {
        allowsNotifications = allowed
        return registration(at: now)
    }

    /// The app leaves the foreground, ends or is ended.
    mutating func setApplication(_ state: AppState) {
        application = state
        if !state.isRunning { awakeUntil = 0 }
    }

    mutating func uninstall(at now: Moment) {
        isInstalled = false
        setApplication(.terminated)
        removeCards(at: now)
    }

    mutating func logOut() -> [AppCall] {
        customer = nil
        return [.leave]
    }

    mutating func logIn(_ customer: String?) -> [AppCall] {
        guard let customer else { return [] }
        self.customer = customer
        application = .foreground
        return [.register]
    }

    /// The server asked the app to end cards it no longer wants: an answer to the running list.
    mutating func endByApp(activities: Set<String>, at now: Moment) -> [AppCall] {
        var calls: [AppCall] = []
        for index in cards.indices where activities.contains(cards[index].activity.description) {
            guard cards[index].state(at: now.phone) != .dismissed else { continue }
            cards[index].remove(.app, at: now.phone)
            guard !cards[index].isEndReported else { continue }
            cards[index].isEndReported = true
            calls.append(.report(card: index))
        }
        return calls
    }

    /// A running app tells at once what has changed.
    private func registration(at now: Moment) -> [AppCall] { isRunning(at: now) && customer != nil ? [.register] : [] }

    private mutating func removeCards(at now: Moment) {
        for index in cards.indices where cards[index].state(at: now.phone) != .dismissed {
            cards[index].remove(.system, at: now.phone)
        }
    }
}
