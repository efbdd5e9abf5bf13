internal import Runtime

/// Where the next request may go: which connections exist, how many streams each may carry, when to open another.
///
/// A value without sockets. It counts; the client acts.
struct ConnectionPool: Sendable {
    typealias ConnectionID = Int

    enum Claim: Hashable {
        /// A stream of this connection is the caller's until `released`.
        case use(ConnectionID)
        /// Open this connection, report `opened` or `failed`, and claim again.
        case open(ConnectionID)
        /// Every stream is taken, or a connection is on its way.
        case wait
        /// The last attempt to connect failed, nothing is open, and it is too early to try again.
        case unavailable
    }

    enum Preparation: Hashable {
        /// A connection is open.
        case ready
        /// Open this one and report `opened` or `failed`.
        case open(ConnectionID)
        /// One is on its way.
        case wait
        /// The last attempt failed, and it is too early to try again.
        case unavailable
    }

    private enum State {
        /// Being opened; left by `opened` or `failed`.
        case opening
        /// Open, but no provider token was accepted on it yet: APNs allows one stream until then (sender rule 6). Left
        /// by `proved`, `retired` or `gone`.
        case unproven
        /// In full use. Left by `retired` or `gone`.
        case open
        /// Takes nothing new; its streams may end. Left by `gone`.
        case retired
    }

    private struct Slot {
        let id: ConnectionID
        var state = State.opening
        /// What SETTINGS said last; nil until the first frame.
        var limit: Int?
        var inFlight = 0

        var capacity: Int {
            switch state {
            case .opening, .retired: 0
            case .unproven: min(1, limit ?? 1)
            case .open: limit ?? 1
            }
        }

        var isFull: Bool { inFlight >= capacity }
    }

    private let maxConnections: Int
    private let backoff: Backoff
    private var slots: [Slot] = []
    private var lastID = 0
    private var failures = 0
    private var retryAt: MonotonicTime?
    /// Connections in a row that ended before APNs accepted anything on them.
    private var fruitless = 0
    private var pausedUntil: MonotonicTime?

    /// `maxConnections` bounds the connections in use at once; those that only finish their streams come on top.
    init(maxConnections: Int, backoff: Backoff = Backoff()) {
        precondition(maxConnections > 0, "a pool needs a connection")
        self.maxConnections = maxConnections
        self.backoff = backoff
    }

    /// Asks for a stream. Connections fill in order, so that the first stays busy and the others are for the overflow.
    mutating func claim(at now: MonotonicTime) -> Claim {
        if let index = slots.firstIndex(where: { !$0.isFull }) {
            slots[index].inFlight += 1
            return .use(slots[index].id)
        }
        var usable = 0
        for slot in slots {
            switch slot.state {
            // One at a time: a burst of connections looks like an attack (Apple's advice on reuse).
            case .opening, .unproven: return .wait
            case .open: usable += 1
            case .retired: break
            }
        }
        guard usable < maxConnections else { return .wait }
        if let pausedUntil, now < pausedUntil { return .wait }
        if let retryAt, now < retryAt { return usable == 0 ? .unavailable : .wait }
        return .open(add())
    }

    /// Asks for a connection without a stream, ahead of the first claim.
    mutating func prepare(at now: MonotonicTime) -> Preparation {
        if usableConnections > 0 { return .ready }
        if slots.contains(where: { $0.state == .opening }) { return .wait }
        if let retryAt, now < retryAt { return .unavailable }
        return .open(add())
    }

    private mutating func add() -> ConnectionID {
        lastID += 1
        slots.append(Slot(id: lastID))
        return lastID
    }

    /// The stream claimed is over, whatever its outcome.
    mutating func released(_ id: ConnectionID) {
        change(id) { $0.inFlight -= 1 }
    }

    mutating func opened(_ id: ConnectionID) {
        failures = 0
        retryAt = nil
        change(id) { if $0.state == .opening { $0.state = .unproven } }
    }

    /// The connection could not be opened. The next attempt waits, longer each time.
    mutating func failed(_ id: ConnectionID, at now: MonotonicTime, using generator: inout some RandomNumberGenerator) {
        slots.removeAll { $0.id == id }
        retryAt = now + backoff.delay(afterFailure: failures, using: &generator)
        failures += 1
    }

    /// APNs accepted a provider token on this connection.
    mutating func proved(_ id: ConnectionID) {
        fruitless = 0
        pausedUntil = nil
        change(id) { if $0.state == .unproven { $0.state = .open } }
    }

    /// SETTINGS arrived: so many streams are allowed from now on, more or fewer than before (P10).
    mutating func limited(_ id: ConnectionID, to streams: Int) {
        change(id) { $0.limit = streams }
    }

    /// The connection takes no new streams: GOAWAY, or it has proved unfit.
    ///
    /// One that ends before APNs accepted anything on it is replaced at once; the next such one after a pause, longer each
    /// time, because connections that come and go in haste look like an attack.
    mutating func retired(
        _ id: ConnectionID,
        at now: MonotonicTime,
        using generator: inout some RandomNumberGenerator
    ) {
        noticeFruitless(id, at: now, using: &generator)
        change(id) { $0.state = .retired }
    }

    /// The connection is no more; see `retired`.
    mutating func gone(_ id: ConnectionID, at now: MonotonicTime, using generator: inout some RandomNumberGenerator) {
        noticeFruitless(id, at: now, using: &generator)
        slots.removeAll { $0.id == id }
    }

    private mutating func noticeFruitless(
        _ id: ConnectionID,
        at now: MonotonicTime,
        using generator: inout some RandomNumberGenerator
    ) {
        guard slots.contains(where: { $0.id == id && $0.state == .unproven }) else { return }
        if fruitless > 0 { pausedUntil = now + backoff.delay(afterFailure: fruitless - 1, using: &generator) }
        fruitless += 1
    }

    /// Connections that are open and take streams.
    var usableConnections: Int { slots.count { $0.state == .open || $0.state == .unproven } }

    private mutating func change(_ id: ConnectionID, _ body: (inout Slot) -> Void) {
        guard let index = slots.firstIndex(where: { $0.id == id }) else { return }
        body(&slots[index])
    }
}
