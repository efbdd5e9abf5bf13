package import Tracking

extension Fallback {
    /// What happens next to this alert, as far as it is known at `now`; times are told by `say`.
    package func outlook(at now: Instant, say: (Instant) -> String) -> String {
        guard let due = intention?.dueAt else { return "Nothing for now." }
        return due > now ? "The alert leaves at \(say(due)) unless a card shows it by then." : "The alert leaves now."
    }
}
