/// What an app is told that asks whether it may start a card itself (rule 1).
package enum AppStart: Hashable, Sendable {
    /// It may; the card will have this number.
    case start(incarnation: Int)
    /// There is a card already: the app takes it over.
    case adopt(incarnation: Int, activity: ActivityID?, state: ActivityState)
    case no(Reason)
}

extension OrderStream {
    package func appStart(on device: DeviceID) -> AppStart {
        if order.phase.isFinal { return .no(.finishedBeforeStart) }
        if devices[device]?.settings.activitiesEnabled == false { return .no(.switchedOff) }
        let cards = activities.filter { $0.device == device }
        if cards.contains(where: { $0.state == .dismissed }) { return .no(.dismissed) }
        if let card = cards.last(where: \.isOnPhone) {
            guard card.mustEnd == nil else { return .no(.otherCardRuns) }
            return .adopt(incarnation: card.incarnation, activity: card.activityID, state: card.state)
        }
        if cards.contains(where: \.startInFlight) { return .no(.startInFlight) }
        guard let last = cards.last else { return .start(incarnation: 1) }
        guard case .ended(let why) = last.state else { return .start(incarnation: last.incarnation) }
        return why.allowsAppStart ? .start(incarnation: last.incarnation + 1) : .no(.otherCardEnded)
    }

    /// Whether this phone may be told of the order: a customer of the order has it, or had it when its card was known.
    package func concerns(_ device: DeviceID) -> Bool {
        devices[device] != nil || activities.contains { $0.device == device && $0.settings != nil }
    }

    /// Whether the phone's owner left the order: it is told which cards have to go, and nothing else.
    package func wasLeft(by device: DeviceID) -> Bool {
        guard devices[device] == nil, let newest = activities.newest(of: device) else { return false }
        return activities[newest].mustEnd == .owner || activities[newest].state == .ended(.owner)
    }

    /// The app leaves the start to the system. Such a card takes a place on the phone and is the app's own: what becomes of
    /// it the app will report, and where it does not, the card is given up some hours after the time it was ordered for.
    mutating func scheduled(_ device: DeviceID, at now: Instant, into outcome: inout Outcome) {
        guard case .start(let incarnation) = appStart(on: device) else { return }
        if !activities.contains(where: { $0.device == device && $0.incarnation == incarnation }) {
            add(Activity(device: device, incarnation: incarnation))
        }
        let startsAt = max(now, order.scheduledFor ?? now)
        changeCard(device, incarnation, into: &outcome) { $0.announced(startsAt: startsAt) }
        outcome.relays.append(.toDevice(device, .cardLive(id, incarnation: incarnation)))
    }
}

extension Activity {
    /// The app runs it, or the system will, and it is not registered yet.
    var isAnnounced: Bool { state == .localOnly && activityID == nil }

    mutating func announced(startsAt: Instant) {
        origin = .app
        state = .localOnly
        startedAt = startsAt
        intention = nil
    }
}

extension EndReason {
    /// Whether the person's app may show the order again: not where they said so, or the order is of yesterday.
    fileprivate var allowsAppStart: Bool {
        switch self {
        case .delivered, .cancelled, .failed, .returned, .disabled, .setting, .duplicate, .owner, .rollover,
            .unconfirmed:
            true
        case .lifetime, .deadline, .optOut, .staff, .unknown: false
        }
    }
}
