internal import PostgresStore
internal import Runtime

/// Intentions known to this process, by the time they become due. The newest hint of a card replaces older ones.
struct SlotQueue {
    private var hints: [CardKey: SlotHint] = [:]
    private var heap = MinHeap<Int64, CardKey>()

    var count: Int { hints.count }

    /// When the earliest one becomes due; nil: nothing waits.
    var nextDue: Int64? {
        mutating get {
            dropReplaced()
            return heap.first?.key
        }
    }

    mutating func add(_ hint: SlotHint) {
        // One that could not be claimed is put back, perhaps after a newer one came.
        if let known = hints[hint.card], known.revision > hint.revision { return }
        hints[hint.card] = hint
        heap.insert(hint.card, at: hint.dueAt)
    }

    /// Removes and returns what is due at `now`, at most `limit`.
    mutating func takeDue(at now: Int64, limit: Int) -> [SlotHint] {
        var due: [SlotHint] = []
        while due.count < limit {
            dropReplaced()
            guard let first = heap.first, first.key <= now, let hint = hints.removeValue(forKey: first.value) else {
                return due
            }
            heap.removeFirst()
            due.append(hint)
        }
        return due
    }

    private mutating func dropReplaced() {
        while let first = heap.first, hints[first.value]?.dueAt != first.key { heap.removeFirst() }
    }
}
