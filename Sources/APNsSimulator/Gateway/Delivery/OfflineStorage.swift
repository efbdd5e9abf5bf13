/// What APNs keeps for phones that are offline (contract 29): one push a slot, usually the newest.
struct OfflineStorage: Sendable, Codable {
    /// What shares one slot.
    enum Slot: String, Sendable, CaseIterable, Codable {
        /// All pushes of an app, as Apple's pages have it.
        case app
        case topic
        case token
        /// Pushes of one collapse id; each of the others has a slot of its own.
        case collapseID = "collapseId"
    }

    struct Limits: Sendable, Codable {
        var slot = Slot.app
        /// How likely the newest of pushes that come close together stays; nil leaves it to the phone's preset.
        var newestWins: Double?
    }

    /// A push and what decides about its fate.
    struct Kept: Sendable, Codable {
        let push: Push
        let token: String
        let topic: String
        let collapseID: String?
        /// Arrival by the phones' clock, microseconds.
        let at: Int64
        /// When it is given up, by the same clock.
        let until: Int64
    }

    /// Apple: 30 days when the sender does not say.
    static let lifetime: Int64 = 30 * 86_400 * 1_000_000
    /// Within this Apple does not promise that the newest wins; the number is ours.
    private static let closeTogether: Int64 = 1_000_000

    private var kept: [Int: [Kept]] = [:]

    /// Keeps a push for a phone; returns the one that has to go, which may be the same. `newestWins` is the probability
    /// for pushes close together.
    mutating func keep(
        _ new: Kept,
        for phone: Int,
        slot: Slot,
        newestWins: Double,
        using generator: inout some RandomNumberGenerator
    ) -> Push? {
        let place = kept[phone]?.firstIndex { Self.share($0, new, slot) }
        guard let place, let old = kept[phone]?[place] else {
            kept[phone, default: []].append(new)
            return nil
        }
        let isSafe = new.at - old.at >= Self.closeTogether || newestWins >= 1
        guard isSafe || Double.random(in: 0..<1, using: &generator) < newestWins else { return new.push }
        kept[phone]?.remove(at: place)
        kept[phone]?.append(new)
        return old.push
    }

    /// Takes everything that was kept for a phone, oldest first.
    mutating func take(for phone: Int) -> [Kept] { kept.removeValue(forKey: phone) ?? [] }

    mutating func removeAll() { kept = [:] }

    private static func share(_ a: Kept, _ b: Kept, _ slot: Slot) -> Bool {
        switch slot {
        case .app: true
        case .topic: a.topic == b.topic
        case .token: a.token == b.token
        case .collapseID: a.collapseID != nil && a.collapseID == b.collapseID
        }
    }
}
