/// A binary heap: the element with the smallest key is first.
package struct MinHeap<Key: Comparable, Value> {
    private var entries: [(key: Key, value: Value)] = []

    package init() {}

    package var first: (key: Key, value: Value)? { entries.first }

    package mutating func insert(_ value: Value, at key: Key) {
        entries.append((key, value))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].key < entries[parent].key else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    @discardableResult
    package mutating func removeFirst() -> (key: Key, value: Value)? {
        guard !entries.isEmpty else { return nil }
        entries.swapAt(0, entries.count - 1)
        let removed = entries.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].key < entries[least].key {
                least = child
            }
            if least == parent { return removed }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
