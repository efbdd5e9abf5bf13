/// Facts waiting for the next transaction of one lane group, and the callers who wait for them.
struct AppendQueue {
    struct Entry {
        let fact: NewFact
        let lane: Int32
        /// Which call it belongs to and its place there.
        let call: AppendCall
        let index: Int
    }

    private var waiting: [Entry] = []

    var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    mutating func add(_ entry: Entry) { waiting.append(entry) }

    /// The next transaction's facts by lane, lanes ascending so that groups never lock in opposite orders.
    ///
    /// Facts keep their order of arrival within a lane.
    mutating func take(_ limit: Int) -> [(lane: Int32, entries: [Entry])] {
        let taken = waiting.prefix(limit)
        var lanes: [Int32: [Entry]] = [:]
        for entry in taken { lanes[entry.lane, default: []].append(entry) }
        waiting.removeFirst(taken.count)
        return lanes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

/// One call of `append`: its results so far and the caller, resumed when all are there.
final class AppendCall {
    private var outcomes: [AppendOutcome?]
    private var missing: Int
    private let continuation: UnsafeContinuation<[AppendOutcome], Never>

    init(count: Int, _ continuation: UnsafeContinuation<[AppendOutcome], Never>) {
        outcomes = Array(repeating: nil, count: count)
        missing = count
        self.continuation = continuation
    }

    func settle(_ index: Int, _ outcome: AppendOutcome) {
        guard outcomes[index] == nil else { return }
        outcomes[index] = outcome
        missing -= 1
        if missing == 0 { continuation.resume(returning: outcomes.compactMap(\.self)) }
    }
}
