/// What a customer sees of an order. The first five follow each other, the last three end it otherwise.
package enum Phase: Int, Hashable, Sendable, CaseIterable {
    case placed = 1
    case accepted = 2
    case onTheWay = 3
    case courierWaiting = 4
    case delivered = 5
    case cancelled = 6
    case failed = 7
    case returned = 8

    /// The name used in every interface.
    package var name: String {
        switch self {
        case .placed: "placed"
        case .accepted: "accepted"
        case .onTheWay: "on_the_way"
        case .courierWaiting: "courier_waiting"
        case .delivered: "delivered"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .returned: "returned"
        }
    }

    package init?(name: String) {
        guard let phase = Phase.allCases.first(where: { $0.name == name }) else { return nil }
        self = phase
    }

    package var isFinal: Bool {
        switch self {
        case .placed, .accepted, .onTheWay, .courierWaiting: false
        case .delivered, .cancelled, .failed, .returned: true
        }
    }

    /// How far along the delivery is; phases that end it stand above all others.
    var progress: Int {
        switch self {
        case .placed: 1
        case .accepted: 2
        case .onTheWay: 3
        case .courierWaiting: 4
        case .delivered, .cancelled, .failed, .returned: 5
        }
    }

    /// Which final wins when two carry the same event time: delivered > returned > failed > cancelled.
    var finalPreference: Int {
        switch self {
        case .placed, .accepted, .onTheWay, .courierWaiting: 0
        case .cancelled: 1
        case .failed: 2
        case .returned: 3
        case .delivered: 4
        }
    }
}

/// The kitchen's own track; it moves independently of the phase.
package enum KitchenState: Int, Hashable, Sendable, CaseIterable {
    case unknown = 0
    case preparing = 1
    case ready = 2

    package var name: String {
        switch self {
        case .unknown: "unknown"
        case .preparing: "preparing"
        case .ready: "ready"
        }
    }
}

/// The courier's own track; it moves independently of the phase.
package enum CourierState: Int, Hashable, Sendable, CaseIterable {
    case unknown = 0
    case unassigned = 1
    case assigned = 2
    case toPickup = 3
    case nearPickup = 4
    case atPickup = 5
    case pickedUp = 6
    case onTheWay = 7
    case nearby = 8
    case waiting = 9
    case done = 10

    package var name: String {
        switch self {
        case .unknown: "unknown"
        case .unassigned: "unassigned"
        case .assigned: "assigned"
        case .toPickup: "to_pickup"
        case .nearPickup: "near_pickup"
        case .atPickup: "at_pickup"
        case .pickedUp: "picked_up"
        case .onTheWay: "on_the_way"
        case .nearby: "nearby"
        case .waiting: "waiting"
        case .done: "done"
        }
    }
}
