/// What one app still has to tell, in order, each thing once; one call is under way at a time.
struct PendingCalls: Sendable, Codable {
    private enum State {
        /// Nothing to tell. Left by `add`.
        case idle
        /// In the queue of phones that have something to tell. Left by `begin`.
        case queued
        /// A call is under way. Left by `finish`.
        case calling
        /// Waiting after a failure. Left by `retry`.
        case waiting
        /// No network: left by `connect`.
        case offline
    }

    /// A call that is under way when the simulator stops is made again: which state it had, is not kept.
    private enum CodingKeys: CodingKey { case calls }

    private var state = State.idle
    private var calls: [AppCall] = []
    private(set) var failures = 0

    /// Whether the phone has just become one that must be queued.
    mutating func add(_ new: [AppCall], isOnline: Bool) -> Bool {
        for call in new where !calls.dropFirst(state == .calling ? 1 : 0).contains(call) { calls.append(call) }
        guard case .idle = state, !calls.isEmpty else { return false }
        state = isOnline ? .queued : .offline
        return isOnline
    }

    /// The call to make now.
    mutating func begin(isOnline: Bool) -> AppCall? {
        guard case .queued = state, let call = calls.first else { return nil }
        state = isOnline ? .calling : .offline
        return isOnline ? call : nil
    }

    enum Outcome: Sendable {
        /// Told, or pointless to repeat.
        case done
        case failed
    }

    enum Next: Sendable {
        case rest
        case queue
        /// Try again after the back-off of so many failures in a row, counted from 0.
        case wait(failures: Int)
    }

    mutating func finish(_ outcome: Outcome) -> Next {
        guard case .calling = state else { return .rest }
        switch outcome {
        case .done:
            failures = 0
            calls.removeFirst()
            state = calls.isEmpty ? .idle : .queued
            return calls.isEmpty ? .rest : .queue
        case .failed:
            state = .waiting
            failures += 1
            return .wait(failures: failures - 1)
        }
    }

    /// The wait after a failure is over; whether to queue.
    mutating func retry() -> Bool {
        guard case .waiting = state else { return false }
        state = .queued
        return true
    }

    /// The network is back; whether to queue.
    mutating func connect() -> Bool {
        guard case .offline = state else { return false }
        state = .queued
        return true
    }

    /// The app is gone: nothing is told any more.
    mutating func clear() { self = PendingCalls() }

    var isEmpty: Bool { calls.isEmpty }
}
