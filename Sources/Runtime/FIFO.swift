/// A queue: appends at the end and takes from the front in constant time on average.
///
/// Inlinable, so that other modules specialize it: the general code looks the element's type up again and again, which
/// was a tenth of what a push costs. `@inlinable` counts for a package type only when it is `@usableFromInline`.
@usableFromInline
package struct FIFO<Element> {
    @usableFromInline var items: [Element?] = []
    @usableFromInline var head = 0

    @inlinable package init() {}

    @inlinable package var count: Int { items.count - head }
    @inlinable package var isEmpty: Bool { count == 0 }
    @inlinable package var first: Element? { isEmpty ? nil : items[head] }

    @inlinable package mutating func append(_ element: Element) { items.append(element) }

    @inlinable package mutating func popFirst() -> Element? {
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
