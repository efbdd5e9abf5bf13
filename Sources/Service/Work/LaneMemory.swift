import Crypto
import Tracking

/// A card's place in the database: (app, order, device, incarnation) inside one lane.
package struct CardKey: Hashable, Sendable {
    package let app: Int32
    package let order: OrderID
    package let device: DeviceID
    package let incarnation: Int

    package init(app: Int32, order: OrderID, device: DeviceID, incarnation: Int) {
        self.app = app
        self.order = order
        self.device = device
        self.incarnation = incarnation
    }
}

/// What this process knows of a lane it owns. Valid only under its term: dropped whole when a write fails.
struct LaneMemory: Sendable {
    struct OrderEntry: Sendable {
        var stream: OrderStream
        /// Sealed update tokens by card.
        var tokens: [CardKey: [UInt8]] = [:]
    }

    struct DeviceEntry: Sendable {
        var stream: DeviceStream
        /// Sealed start token.
        var token: [UInt8]?
    }

    let lane: Int32
    let term: Int64
    /// Position of the last fact folded.
    var checkpoint: Int64
    var orders: [UUID128: OrderEntry] = [:]
    var devices: [UUID128: DeviceEntry] = [:]
    var customers: [UUID128: CustomerStream] = [:]
    /// Streams that could not be folded, by key, with the version from which they rest.
    var parked: Set<UUID128> = []
    /// Relays that were appended and can be deleted with the next transaction.
    var delivered: [RelayKey] = []

    init(lane: Int32, term: Int64, checkpoint: Int64) {
        self.lane = lane
        self.term = term
        self.checkpoint = checkpoint
    }

    /// Keeps memory bounded: what is over is forgotten at once, the rest when there is too much of it.
    mutating func trim(limit: Int) {
        if orders.count > limit { orders.removeAll(keepingCapacity: true) }
        if devices.count > limit { devices.removeAll(keepingCapacity: true) }
        if customers.count > limit { customers.removeAll(keepingCapacity: true) }
    }
}

/// A relay row: the fact that caused it and its number there.
struct RelayKey: Hashable, Sendable {
    let pos: Int64
    let number: Int32
}
