package import PostgresStore
package import Tracking

/// Who is told of what the worker did. Calls come on the loop and must not block.
package struct WorkListeners: Sendable {
    /// Intentions that were written or became due.
    package var slots: @Sendable ([SlotHint]) -> Void
    /// Messages to other streams, in rows of this lane, to be appended to theirs.
    var relays: @Sendable (Int32, [Projection.PendingRelay]) -> Void
    /// Lanes in which timers are due.
    var timers: @Sendable ([Int32]) -> Void
    /// Orders that were folded, with the version up to which they have settled.
    package var folded: @Sendable ([(StreamAddress, settled: Int)]) -> Void
    /// Something failed and will be tried again.
    package var failed: @Sendable (StaticString, any Error) -> Void

    init(
        slots: @escaping @Sendable ([SlotHint]) -> Void,
        relays: @escaping @Sendable (Int32, [Projection.PendingRelay]) -> Void,
        timers: @escaping @Sendable ([Int32]) -> Void,
        folded: @escaping @Sendable ([(StreamAddress, settled: Int)]) -> Void,
        failed: @escaping @Sendable (StaticString, any Error) -> Void
    ) {
        self.slots = slots
        self.relays = relays
        self.timers = timers
        self.folded = folded
        self.failed = failed
    }
}

/// An intention that lies in a slot, as the sender needs to know of it before it claims.
package struct SlotHint: Hashable, Sendable {
    package let lane: Int32
    package let card: CardKey
    package let revision: Int32
    package let verb: Verb
    /// Which start of the incarnation this would be.
    package let attempt: Int32
    /// Database clock, microseconds.
    package let dueAt: Int64

    package init(lane: Int32, card: CardKey, revision: Int32, verb: Verb, attempt: Int32, dueAt: Int64) {
        self.lane = lane
        self.card = card
        self.revision = revision
        self.verb = verb
        self.attempt = attempt
        self.dueAt = dueAt
    }

    var isStart: Bool { verb == .start }
    var isAlert: Bool { verb == .alert }
    /// It goes to no card, and is claimed as such.
    var isAside: Bool { isAlert || card.isChannel }
}
