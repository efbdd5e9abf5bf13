/// The cards of an order's devices.
extension OrderStream {
    /// Cards stand by device and number, so that decisions come in the same order however the cards came.
    mutating func add(_ card: Activity) {
        activities.insert(card, at: activities.place(for: card))
    }

    mutating func change(_ device: DeviceID, _ incarnation: Int, _ body: (inout Activity) -> Void) {
        if let index = activities.index(device, incarnation) { body(&activities[index]) }
    }

    mutating func changeCard(
        _ device: DeviceID,
        _ incarnation: Int,
        into outcome: inout Outcome,
        _ body: (inout Activity) -> Void
    ) {
        if let index = activities.index(device, incarnation) { change(index, into: &outcome, body) }
    }

    mutating func changeCard(
        _ activity: ActivityID,
        into outcome: inout Outcome,
        _ body: (inout Activity) -> Void
    ) {
        if let index = activities.index(activity) {
            change(index, into: &outcome, body)
        }
    }

    /// Changes one card and tells its device what that means for its places and its start token.
    mutating func change(_ index: Int, into outcome: inout Outcome, _ body: (inout Activity) -> Void) {
        let before = activities[index].standing
        body(&activities[index])
        activities[index].tell(&outcome.relays, since: before, order: id)
    }

    /// The app may start the card of its device itself: its own is opened early, so that a push start can wait for it.
    mutating func asked(_ device: DeviceID, at now: Instant) {
        if !activities.contains(where: { $0.device == device }) { add(Activity(device: device, incarnation: 1)) }
        for index in activities.indices where activities[index].device == device {
            activities[index].askedAt = now
        }
    }

    mutating func register(
        _ registration: CardRegistration,
        now: Instant,
        into outcome: inout Outcome
    ) {
        let index: Int
        if let known = activities.index(registration.activity) {
            // Ids of cards are unique: who names another device's card is mistaken, or means no good.
            guard activities[known].device == registration.device else { return }
            index = known
        } else {
            let incarnation = incarnation(for: registration)
            if activities.index(registration.device, incarnation) == nil {
                add(Activity(device: registration.device, incarnation: incarnation))
            }
            guard let found = activities.index(registration.device, incarnation) else { return }
            index = found
        }
        let (isFinal, version) = (order.phase.isFinal, version)
        change(index, into: &outcome) {
            $0.registered(registration, version: version, now: now, orderIsFinal: isFinal)
        }
        if let early = earlyReports.firstIndex(where: { $0.activity == registration.activity }) {
            take(earlyReports.remove(at: early), into: &outcome)
        }
        // It turned up when its channel was gone.
        if activities[index].state == .liveOnChannel, activities[index].channel != channel?.id {
            change(index, into: &outcome) { $0.forgetChannel() }
        }
        takeFromOthers(index, into: &outcome)
        keepOneCard(registration.device, into: &outcome)
    }

    private func incarnation(for registration: CardRegistration) -> Int {
        let cards = activities.filter { $0.device == registration.device }
        let next = (cards.map(\.incarnation).max() ?? 0) + 1
        if let stated = registration.incarnation {
            // A second card of one incarnation takes the next number.
            return cards.contains { $0.incarnation == stated && $0.activityID != nil } ? next : stated
        }
        if let announced = cards.last, announced.isAnnounced { return announced.incarnation }
        if registration.origin == .server, let waiting = cards.last(where: \.awaitsRegistration) {
            return waiting.incarnation
        }
        if let untouched = cards.last, untouched.isUntouched { return untouched.incarnation }
        return next
    }

    /// Of several cards on one device the app's own stays, else the earliest that can be reached; the others end at once
    /// (rule 1). A card whose life is nearly over gives way to the next (rule 8).
    private mutating func keepOneCard(_ device: DeviceID, into outcome: inout Outcome) {
        let rivals = activities.indices.filter {
            let card = activities[$0]
            return card.device == device && card.activityID != nil && !card.state.isOver && card.mustEnd == nil
        }
        let staying = rivals.filter { !activities[$0].rollsOver }
        let keeper =
            staying.first { activities[$0].origin == .app } ?? staying.first { activities[$0].hasToken }
            ?? staying.first
        guard let keeper else { return }
        for index in rivals where index != keeper {
            change(index, into: &outcome) { $0.withdraw($0.rollsOver ? .rollover : .duplicate) }
        }
    }

    /// What the app says of a card. An end may overtake the card's registration: it waits for that.
    mutating func take(_ report: CardReport, into outcome: inout Outcome) {
        guard let index = activities.index(report.activity) else {
            guard report.state != .active else { return }
            earlyReports.append(report)
            if earlyReports.count > Self.earlyReportsKept { earlyReports.removeFirst() }
            return
        }
        let end = channel?.card.endOnItsWay
        change(index, into: &outcome) { $0.reported(report.state, sequence: report.sequence, channelEnds: end) }
    }

    /// More than an order has cards; others would be of cards that nobody registers. Ours.
    private static let earlyReportsKept = 16

    /// The app listed what runs on the phone.
    mutating func listed(_ device: DeviceID, _ cards: [ListedCard], now: Instant, into outcome: inout Outcome) {
        let known = Set(activities.compactMap(\.activityID))
        let end = channel?.card.endOnItsWay
        for index in activities.indices where activities[index].device == device {
            let card = activities[index]
            let entry = cards.first {
                guard let activity = card.activityID else {
                    // A card that names no incarnation may be the one whose start went unanswered.
                    return !known.contains($0.activity) && ($0.incarnation ?? card.incarnation) == card.incarnation
                }
                return $0.activity == activity
            }
            change(index, into: &outcome) {
                guard let entry else { return $0.missing(now: now, channelEnds: end) }
                $0.reported(entry.state, sequence: nil, channelEnds: end)
            }
        }
    }
}

/// Cards found where they stand: a card is large, and a search must not copy each that it passes.
extension [Activity] {
    func index(_ device: DeviceID, _ incarnation: Int) -> Int? {
        indices.first { self[$0].incarnation == incarnation && self[$0].device == device }
    }

    func index(_ activity: ActivityID) -> Int? { indices.first { self[$0].activityID == activity } }

    /// The device's card of the highest number.
    func newest(of device: DeviceID) -> Int? { indices.last { self[$0].device == device } }

    fileprivate func place(for card: Activity) -> Int {
        indices.first {
            self[$0].device == card.device
                ? self[$0].incarnation > card.incarnation : card.device.value.precedesByBytes(self[$0].device.value)
        } ?? endIndex
    }
}
