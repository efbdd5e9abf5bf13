internal import PostgresStore
internal import Runtime

/// Intentions known to this process, by the time they become due. The newest hint of a card replaces older ones.
///
/// One thing at a time is done for a card: whoever takes its hint gives the card back, and a hint that comes meanwhile
/// waits until then. It is not dropped, as what is under way may be an older revision that is not there to be claimed.
struct SlotQueue {
    private var hints: [CardKey: SlotHint] = [:]
    private var heap = MinHeap<Int64, CardKey>()
    private var taken: Set<CardKey> = []

    var count: Int { hints.count }
    var takenCount: Int { taken.count }

    func isTaken(_ card: CardKey) -> Bool { taken.contains(card) }

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
        if !taken.contains(hint.card) { heap.insert(hint.card, at: hint.dueAt) }
    }

    /// Takes what is due at `now`, at most `limit`; each card is to be given back.
    mutating func takeDue(at now: Int64, limit: Int) -> [SlotHint] {
        var due: [SlotHint] = []
        while due.count < limit {
            dropReplaced()
            guard let first = heap.first, first.key <= now, let hint = hints.removeValue(forKey: first.value) else {
                return due
            }
            heap.removeFirst()
            taken.insert(hint.card)
            due.append(hint)
        }
        return due
    }

    /// Ends what was under way for a card. Whether a hint has been waiting for that.
    mutating func giveBack(_ card: CardKey) -> Bool {
        guard taken.remove(card) != nil, let hint = hints[card] else { return false }
        heap.insert(card, at: hint.dueAt)
        return true
    }

    private mutating func dropReplaced() {
        while let first = heap.first, hints[first.value]?.dueAt != first.key || taken.contains(first.value) {
            heap.removeFirst()
        }
    }
}
