/// A binary heap: the element with the smallest key is first.
package struct MinHeap<Key: Comparable, Value> {
    private var entries: [(key: Key, value: Value)] = []

    package init() {}

    package var count: Int { entries.count }
    package var first: (key: Key, value: Value)? { entries.first }

    package mutating func insert(_ value: Value, at key: Key) {
        entries.append((key, value))
        siftUp(from: entries.count - 1)
    }

    @discardableResult
    package mutating func removeFirst() -> (key: Key, value: Value)? {
        guard !entries.isEmpty else { return nil }
        entries.swapAt(0, entries.count - 1)
        let removed = entries.removeLast()
        siftDown(from: 0)
        return removed
    }

    /// Removes what `isUnwanted` says, in time proportional to the whole.
    package mutating func removeAll(where isUnwanted: (Value) -> Bool) {
        entries.removeAll { isUnwanted($0.value) }
        for parent in (0..<entries.count / 2).reversed() { siftDown(from: parent) }
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].key < entries[parent].key else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(from start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in (2 * parent + 1)...(2 * parent + 2)
            where child < entries.count && entries[child].key < entries[least].key {
                least = child
            }
            if least == parent { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
