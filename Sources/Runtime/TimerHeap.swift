/// Timers by deadline: a binary heap, removal by leaving the entry to be skipped.
struct TimerHeap {
    private struct Entry {
        let deadline: MonotonicTime
        let id: UInt64
    }

    private var entries: [Entry] = []
    private var bodies: [UInt64: () -> Void] = [:]

    /// The earliest deadline still wanted.
    var next: MonotonicTime? { entries.first?.deadline }

    mutating func insert(id: UInt64, at deadline: MonotonicTime, _ body: @escaping () -> Void) {
        bodies[id] = body
        entries.append(Entry(deadline: deadline, id: id))
        siftUp(entries.count - 1)
    }

    mutating func remove(id: UInt64) {
        bodies[id] = nil
        dropUnwanted()
    }

    /// Takes out the earliest body that was due at `now`; the caller runs it, and may schedule and cancel in it.
    mutating func popDue(at now: MonotonicTime) -> (() -> Void)? {
        while let first = entries.first, first.deadline <= now {
            removeFirst()
            if let body = bodies.removeValue(forKey: first.id) { return body }
        }
        return nil
    }

    private mutating func dropUnwanted() {
        while let first = entries.first, bodies[first.id] == nil { removeFirst() }
    }

    private mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        siftDown()
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].deadline < entries[parent].deadline else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if entries[child].deadline < entries[least].deadline { least = child }
            }
            if least == parent { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
