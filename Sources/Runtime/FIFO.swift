/// A queue: appends at the end and takes from the front in constant time on average.
package struct FIFO<Element> {
    private var items: [Element?] = []
    private var head = 0

    package init() {}

    package var count: Int { items.count - head }
    package var isEmpty: Bool { count == 0 }
    package var first: Element? { isEmpty ? nil : items[head] }

    package mutating func append(_ element: Element) { items.append(element) }

    package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = items[head]
        items[head] = nil
        head += 1
        if head > 64, head > items.count / 2 {
            items.removeFirst(head)
            head = 0
        }
        return element
    }
}

extension FIFO: Sendable where Element: Sendable {}
