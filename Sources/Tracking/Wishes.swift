/// The moments at which a card or an order must be looked at without anybody's word: at most one of each kind. Made at
/// every fact, so it asks for no memory.
struct Wishes {
    private(set) var earliest: (kind: TimerKind, at: Instant)?
    /// A bit for each kind that is there, and the moments by the number of the kind.
    private var kinds: UInt16 = 0
    private var moments = InlineArray<11, Instant>(repeating: Instant(seconds: 0))

    func contains(_ kind: TimerKind) -> Bool { kinds & (1 << kind.rawValue) != 0 }

    mutating func add(_ kind: TimerKind, at moment: Instant?) {
        guard let moment else { return }
        kinds |= 1 << kind.rawValue
        moments[Int(kind.rawValue)] = moment
        // Of equal moments the kind that is numbered lower.
        if let earliest, (earliest.at, earliest.kind.rawValue) < (moment, kind.rawValue) { return }
        earliest = (kind, moment)
    }

    /// Takes out the earliest, if it has come by `now`.
    mutating func next(by now: Instant) -> TimerKind? {
        guard let earliest, earliest.at <= now else { return nil }
        let left = kinds & ~(1 << earliest.kind.rawValue)
        self = kept { left & (1 << $0.rawValue) != 0 }
        return earliest.kind
    }

    /// Only what is still to come.
    func after(_ now: Instant) -> Wishes { kept { moments[Int($0.rawValue)] > now } }

    private func kept(where isKept: (TimerKind) -> Bool) -> Wishes {
        var kept = Wishes()
        for kind in TimerKind.allCases where contains(kind) && isKept(kind) {
            kept.add(kind, at: moments[Int(kind.rawValue)])
        }
        return kept
    }
}
