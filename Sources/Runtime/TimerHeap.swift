/// Timers by deadline; a cancelled one leaves its entry to be skipped, until such entries outnumber the others.
struct TimerHeap {
    private var heap = MinHeap<MonotonicTime, UInt64>()
    private var bodies: [UInt64: () -> Void] = [:]

    /// The earliest deadline still wanted.
    var next: MonotonicTime? { heap.first?.key }

    /// Entries that take up room, those of cancelled timers included.
    var entryCount: Int { heap.count }

    mutating func insert(id: UInt64, at deadline: MonotonicTime, _ body: @escaping () -> Void) {
        bodies[id] = body
        heap.insert(id, at: deadline)
    }

    mutating func remove(id: UInt64) {
        guard bodies.removeValue(forKey: id) != nil else { return }
        if heap.count > 2 * bodies.count + 64 { heap.removeAll { bodies[$0] == nil } }
        while let first = heap.first, bodies[first.value] == nil { heap.removeFirst() }
    }

    /// Takes out the earliest body that was due at `now`; the caller runs it, and may schedule and cancel in it.
    mutating func popDue(at now: MonotonicTime) -> (() -> Void)? {
        while let first = heap.first, first.key <= now {
            heap.removeFirst()
            if let body = bodies.removeValue(forKey: first.value) { return body }
        }
        return nil
    }
}
