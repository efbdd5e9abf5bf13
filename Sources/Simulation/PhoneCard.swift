package import Tracking

/// A card on a phone, as far as a person could see it.
package struct PhoneCard: Sendable {
    package let activity: ActivityID
    package let origin: CardOrigin
    /// What the card's attributes say; nil for one that the app started.
    let incarnation: Int?
    package let startedAt: Instant
    /// When the app hands over the update token; nil once it has.
    var registersAt: Instant?
    /// What the last push said; nil while a card of the app's own had none.
    package private(set) var content: Content?
    /// When the system greys it, unless another push comes.
    package private(set) var staleAt: Instant?
    package private(set) var endedAt: Instant?
    private var stamp: Int64 = 0
    /// Until when its minutes are counted.
    private var countedUntil: Instant

    /// The system ends a card by itself after eight hours (contract 2.4).
    private static let life = Duration.seconds(8 * 3600)
    /// How much later than its promise a card may still look alive.
    private static let grace = Duration.seconds(5)

    init(activity: ActivityID, origin: CardOrigin, incarnation: Int?, startedAt: Instant, registersAt: Instant) {
        self.activity = activity
        self.origin = origin
        self.incarnation = incarnation
        self.startedAt = startedAt
        self.registersAt = registersAt
        countedUntil = startedAt
    }

    package var isRunning: Bool { endedAt == nil }

    /// What ActivityKit does with a push: one that is not newer than the last, or comes after an end, changes nothing.
    mutating func receive(_ intention: Intention, stamp: Int64, at now: Instant) {
        guard isRunning, stamp > self.stamp else { return }
        self.stamp = stamp
        content = intention.content
        staleAt = now + intention.staleAfter
        if intention.verb == .end { endedAt = now }
    }

    /// Time passes until `now`. Answers how long the card was shown as stale meanwhile, and for how long it looked alive
    /// although its promise was broken; `brokenAt` is when that happens, nil for an order that is over.
    mutating func pass(to now: Instant, brokenAt: Instant?) -> (stale: Duration, dishonest: Duration) {
        let from = countedUntil
        let end = min(now, startedAt + Self.life)
        guard isRunning, end > from, let content, let staleAt else {
            countedUntil = max(countedUntil, now)
            return (.zero, .zero)
        }
        countedUntil = now
        if content.isStale { return (end - from, .zero) }
        let greys = min(max(staleAt, from), end)
        var dishonest = Duration.zero
        if let brokenAt { dishonest = max(.zero, greys - max(from, brokenAt + Self.grace)) }
        return (end - greys, dishonest)
    }
}
