private import Runtime

/// Pushes that no connection has: those that were given back go first, kept apart, so that they keep their order (P19).
struct DeliveryQueue {
    private var new = FIFO<Delivery>()
    private var returned = FIFO<Delivery>()

    var first: Delivery? { returned.first ?? new.first }

    mutating func append(_ delivery: Delivery) { new.append(delivery) }

    /// A connection had it, or was to have it, and it may be sent again.
    mutating func giveBack(_ delivery: Delivery) { returned.append(delivery) }

    mutating func removeFirst() {
        if returned.popFirst() == nil { _ = new.popFirst() }
    }

    /// Takes out what `isDue` says and leaves the others as they stand.
    mutating func remove(where isDue: (Delivery) -> Bool) -> [Delivery] {
        returned.remove(where: isDue) + new.remove(where: isDue)
    }
}

extension FIFO {
    fileprivate mutating func remove(where isUnwanted: (Element) -> Bool) -> [Element] {
        var (kept, removed) = (FIFO(), [Element]())
        while let next = popFirst() {
            if isUnwanted(next) { removed.append(next) } else { kept.append(next) }
        }
        self = kept
        return removed
    }
}
