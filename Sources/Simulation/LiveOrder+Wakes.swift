internal import Tracking

/// What an order waits for without anybody's word.
extension LiveOrder {
    /// When something is due next: a timer, a push, or the app's answer to a start.
    func wakesAt(_ settings: SimulationSettings) -> Instant? {
        var earliest = stream.alarm.armed?.dueAt
        for index in stream.activities.indices {
            earliest = Self.earlier(earliest, stream.activities[index].alarm.armed?.dueAt)
            earliest = Self.earlier(earliest, leavesAt(index, settings))
        }
        earliest = Self.earlier(earliest, alertLeavesAt(settings))
        for index in cards.indices where cards[index].isRunning {
            earliest = Self.earlier(earliest, cards[index].registersAt)
        }
        return earliest
    }

    private static func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
        guard let a, let b else { return a ?? b }
        return min(a, b)
    }

    /// When a card's intention goes out: at its time, or when an outage is over.
    private func leavesAt(_ card: Int, _ settings: SimulationSettings) -> Instant? {
        guard !stream.activities[card].startInFlight, let due = stream.activities[card].intention?.dueAt else {
            return nil
        }
        return settings.leaves(due)
    }

    /// When the phone's alert in the place of cards goes out.
    private func alertLeavesAt(_ settings: SimulationSettings) -> Instant? {
        wantedAlert?.dueAt.map { settings.leaves($0) }
    }

    /// The household has one phone.
    private var wantedAlert: Intention? { stream.fallbacks.values.lazy.compactMap(\.intention).first }

    /// The alert in the place of cards that may leave now.
    func alerting(at now: Instant, _ settings: SimulationSettings) -> Intention? {
        guard let leaves = alertLeavesAt(settings), leaves <= now else { return nil }
        return wantedAlert
    }

    /// A timer whose time has come, as the fact that it rang.
    func ringing(at now: Instant) -> TimerRang? {
        guard let due = stream.timers.first(where: { $0.timer.dueAt <= now }) else { return nil }
        return TimerRang(
            device: due.device,
            incarnation: due.incarnation,
            kind: due.timer.kind,
            generation: due.timer.generation,
            at: now
        )
    }

    /// The card, as an index, whose app hands over its token now.
    func registering(at now: Instant) -> Int? {
        cards.firstIndex { card in card.isRunning && card.registersAt.map { $0 <= now } ?? false }
    }

    /// The card, as an index, whose push may leave now.
    func leaving(at now: Instant, _ settings: SimulationSettings) -> Int? {
        if let outage = settings.outage, outage.contains(now) { return nil }
        return stream.activities.indices.first { card in leavesAt(card, settings).map { $0 <= now } ?? false }
    }
}
