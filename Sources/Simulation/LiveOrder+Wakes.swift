internal import Tracking

/// What an order waits for without anybody's word.
extension LiveOrder {
    /// When something is due next: a timer, a push, or the app's answer to a start.
    func wakesAt(_ settings: SimulationSettings) -> Instant? {
        var earliest = stream.alarm.armed?.dueAt
        for card in stream.activities {
            earliest = Self.earlier(earliest, card.alarm.armed?.dueAt)
            if !card.startInFlight { earliest = Self.earlier(earliest, Self.leavesAt(card.intention, settings)) }
        }
        for card in cards where card.isRunning { earliest = Self.earlier(earliest, card.registersAt) }
        return earliest
    }

    private static func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
        guard let a, let b else { return a ?? b }
        return min(a, b)
    }

    /// When an intention goes out: at its time, or when an outage is over.
    private static func leavesAt(_ intention: Intention?, _ settings: SimulationSettings) -> Instant? {
        guard let due = intention?.dueAt else { return nil }
        guard let outage = settings.outage, outage.contains(due) else { return due }
        return outage.upperBound
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

    /// A card whose push may leave now.
    func leaving(at now: Instant, _ settings: SimulationSettings) -> Activity? {
        stream.activities.first { card in
            guard !card.startInFlight, let leaves = Self.leavesAt(card.intention, settings) else { return false }
            return leaves <= now && !(settings.outage?.contains(now) ?? false)
        }
    }
}
