/// A queue over an array whose taken places are given back in bulk.
struct FIFO<Element> {
    private var items: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == items.count }
    var count: Int { items.count - head }

    /// The oldest element; there must be one to write to.
    var first: Element? {
        get { isEmpty ? nil : items[head] }
        set { if let newValue, !isEmpty { items[head] = newValue } }
    }

    mutating func append(_ element: Element) { items.append(element) }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = items[head]
        items[head] = nil
        head += 1
        if head == items.count {
            items.removeAll(keepingCapacity: head <= 64)
            head = 0
        } else if head >= 64, head * 2 >= items.count {
            items.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func removeAll() -> [Element] {
        defer { self = FIFO() }
        return items[head...].compactMap { $0 }
    }
}
