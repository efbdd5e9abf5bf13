internal import Crypto
internal import Runtime

/// Messages between streams that wait to be appended, in order for each stream that is to hear them.
///
/// Streams rely on hearing each other in order, so of each one's messages only the first is under way; the next goes
/// when that one has arrived, also if it takes several attempts.
struct RelayQueue {
    struct Parcel: Sendable {
        /// The lane whose rows hold it.
        let lane: Int32
        let relay: Projection.PendingRelay
        /// The stream that is to hear it.
        let address: StreamAddress
    }

    private var waiting: [UUID128: FIFO<Parcel>] = [:]
    /// Streams with a message to send, in order of arrival.
    private var ready: [UUID128] = []

    var isEmpty: Bool { ready.isEmpty }

    mutating func add(_ parcel: Parcel) {
        let key = parcel.address.key
        if waiting[key] == nil { ready.append(key) }
        waiting[key, default: FIFO()].append(parcel)
    }

    /// The first message of every stream that has none under way.
    mutating func take() -> [Parcel] {
        defer { ready.removeAll(keepingCapacity: true) }
        return ready.compactMap { waiting[$0]?.first }
    }

    /// A message that was taken has arrived.
    mutating func arrived(_ parcel: Parcel) {
        let key = parcel.address.key
        _ = waiting[key]?.popFirst()
        if waiting[key]?.isEmpty ?? true { waiting[key] = nil } else { ready.append(key) }
    }

    /// A message that was taken did not arrive: it is offered again.
    mutating func failed(_ parcel: Parcel) { ready.append(parcel.address.key) }
}
