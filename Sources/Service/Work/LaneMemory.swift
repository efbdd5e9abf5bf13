internal import Crypto
internal import PostgresStore
internal import Tracking

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
        /// Sealed ordinary token.
        var deviceToken: [UInt8]?
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

    init(lane: Int32, term: Int64, checkpoint: Int64, parked: Set<UUID128> = []) {
        self.lane = lane
        self.term = term
        self.checkpoint = checkpoint
        self.parked = parked
    }

    /// Keeps memory bounded: what is over is forgotten at once, the rest when there is too much of it.
    mutating func trim(limit: Int) {
        if orders.count > limit { orders.removeAll(keepingCapacity: true) }
        if devices.count > limit { devices.removeAll(keepingCapacity: true) }
        if customers.count > limit { customers.removeAll(keepingCapacity: true) }
    }
}
