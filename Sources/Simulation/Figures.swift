package import Tracking

/// What a policy did to a stream of orders.
package struct Figures: Hashable, Sendable {
    package internal(set) var orders = 0
    package internal(set) var events = 0
    /// Orders that had a card.
    package internal(set) var started = 0
    package internal(set) var pushes: [Decision.Kind: Int] = [:]
    /// Pushes that rang.
    package internal(set) var alerts = 0
    /// Pushes of priority 10.
    package internal(set) var urgent = 0
    /// How long cards looked alive although what they promised could not be kept: must be zero.
    package internal(set) var dishonest = Duration.zero
    /// Orders that this happened to.
    package internal(set) var dishonestOrders: Set<Int> = []
    /// How long cards were shown as stale.
    package internal(set) var shownStale = Duration.zero
    package internal(set) var endings: [String: Int] = [:]
    package internal(set) var notStarted: [Reason: Int] = [:]
    /// How many orders took so many pushes.
    private var ordersByPushes: [Int] = []
    /// By index of the order: equal where a person saw the same (`LiveOrder.outcome`).
    package internal(set) var outcomes: [UInt64] = []

    package init() {}

    package init(orders: Int) { outcomes = Array(repeating: 0, count: orders) }

    package var totalPushes: Int { pushes.values.reduce(0, +) }

    /// Of all orders, those without a card included.
    package var pushesPerOrder: Double { orders == 0 ? 0 : Double(totalPushes) / Double(orders) }
    package var alertsPerOrder: Double { orders == 0 ? 0 : Double(alerts) / Double(orders) }
    package var urgentShare: Double { totalPushes == 0 ? 0 : Double(urgent) / Double(totalPushes) }

    /// So many pushes or fewer were enough for this share of the orders.
    package func pushes(enoughFor share: Double) -> Int {
        var left = Int((Double(orders) * share).rounded(.up))
        for (pushes, count) in ordersByPushes.enumerated() {
            left -= count
            if left <= 0 { return pushes }
        }
        return max(0, ordersByPushes.count - 1)
    }

    mutating func count(_ kind: Decision.Kind, _ intention: Intention) {
        pushes[kind, default: 0] += 1
        if !intention.alerts.isEmpty { alerts += 1 }
        if intention.priority == 10 { urgent += 1 }
    }

    mutating func count(_ order: LiveOrder) {
        orders += 1
        if order.cards.isEmpty { notStarted[order.notStarted ?? .noDevice, default: 0] += 1 } else { started += 1 }
        for ending in order.endings { endings[ending, default: 0] += 1 }
        if ordersByPushes.count <= order.pushes {
            ordersByPushes += Array(repeating: 0, count: order.pushes + 1 - ordersByPushes.count)
        }
        ordersByPushes[order.pushes] += 1
        if outcomes.indices.contains(order.place) { outcomes[order.place] = order.outcome }
    }
}
