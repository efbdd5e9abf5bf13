/// How far one order of a settled replay is: one event at a time, the next when the last has settled.
struct OrderProgress: Hashable {
    private enum State: Hashable {
        /// Left by `open` to `.posting`.
        case waiting
        /// Left by `answered`, to `.settling`, the next `.posting` or `.finished`.
        case posting(Int)
        /// Left by `settled`, to the next `.posting` or `.finished`.
        case settling(Int)
        case finished
    }

    enum Action: Hashable {
        /// Post the event at this place of the order's sequence.
        case post(Int)
        case awaitSettled(version: Int64)
        case finish
    }

    /// How many events the order has, at least one.
    let count: Int
    private var state = State.waiting
    /// The newest version known to have settled; a repeated event waits for nothing new.
    private var settledVersion: Int64 = 0

    init(count: Int) { self.count = count }

    mutating func open() -> Action {
        switch state {
        case .waiting: return post(0)
        case .posting, .settling, .finished: preconditionFailure("an order is opened once")
        }
    }

    /// The present event was answered; `version` is nil when it was rejected and there is nothing to wait for.
    mutating func answered(version: Int64?) -> Action {
        switch state {
        case .posting(let place):
            guard let version, version > settledVersion else { return post(place + 1) }
            state = .settling(place)
            return .awaitSettled(version: version)
        case .waiting, .settling, .finished: preconditionFailure("nothing was posted")
        }
    }

    /// `version` has settled, or is no longer waited for.
    mutating func settled(version: Int64) -> Action {
        switch state {
        case .settling(let place):
            settledVersion = max(settledVersion, version)
            return post(place + 1)
        case .waiting, .posting, .finished: preconditionFailure("nothing was settling")
        }
    }

    private mutating func post(_ place: Int) -> Action {
        guard place < count else {
            state = .finished
            return .finish
        }
        state = .posting(place)
        return .post(place)
    }
}
