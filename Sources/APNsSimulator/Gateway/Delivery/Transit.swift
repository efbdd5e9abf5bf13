/// Pushes that are under way between APNs and a phone, by the time of their arrival (contract 30).
struct Transit: Sendable, Codable {
    /// How far delivery strays from at once and in order.
    struct Limits: Sendable, Codable {
        /// Pushes below priority 10 wait a random time up to this, microseconds.
        var opportunisticDelay: Int64 = 0
        /// They arrive together, at multiples of this, microseconds.
        var opportunisticGroup: Int64 = 0
        /// The share of all pushes that others may overtake within a second.
        var reordered = 0.0

        var isDirect: Bool { opportunisticDelay == 0 && opportunisticGroup == 0 && reordered == 0 }
    }

    struct Entry: Sendable, Codable {
        let kept: OfflineStorage.Kept
        let phone: Int
        /// By the phones' clock, microseconds.
        let arrival: Int64
    }

    private static let overtaking: Int64 = 1_000_000

    /// Sorted by arrival.
    private var entries: [Entry] = []

    mutating func add(_ entry: Entry) {
        let place = entries.lastIndex { $0.arrival <= entry.arrival }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: place)
    }

    /// Takes what has arrived by `now`, in order.
    mutating func arrived(by now: Int64) -> ArraySlice<Entry> {
        let count = entries.firstIndex { $0.arrival > now } ?? entries.count
        defer { entries.removeFirst(count) }
        return entries.prefix(count)
    }

    mutating func removeAll() { entries = [] }

    /// When a push sent at `now` arrives.
    static func arrival(
        priority: Int,
        at now: Int64,
        _ limits: Limits,
        using generator: inout some RandomNumberGenerator
    ) -> Int64 {
        guard !limits.isDirect else { return now }
        var arrival = now
        if priority < 10 {
            arrival += Int64.random(in: 0...limits.opportunisticDelay, using: &generator)
            if limits.opportunisticGroup > 0 {
                let rest = arrival % limits.opportunisticGroup
                if rest > 0 { arrival += limits.opportunisticGroup - rest }
            }
        }
        if limits.reordered > 0, Double.random(in: 0..<1, using: &generator) < limits.reordered {
            arrival += Int64.random(in: 1...overtaking, using: &generator)
        }
        return arrival
    }
}
