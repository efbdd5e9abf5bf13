private import JSONText
private import PartnerEvents
package import Replay
private import Tracking

/// The orders of a file that `doorstep replay` could send, in the order in which they first occur.
package struct RecordedStream: Sendable {
    package private(set) var orders: [RecordedOrder] = []
    /// Events that are told once; those told again under the same id are left out and counted beside.
    package private(set) var events = 0
    package private(set) var duplicates = 0
    /// The app that the file's map names.
    package private(set) var app: String?

    package init(_ orders: [RecordedOrder]) {
        self.orders = orders
        events = orders.reduce(0) { $0 + $1.facts.count }
    }

    /// Reads CloudEvents, or with a map a table (docs/replay.md); throws everything that is wrong with the file at once.
    ///
    /// An event without a time happened when the one before it did. One whose time has no offset is read as UTC.
    package init(path: String, map: String?) throws(ReplayError) {
        var reader = Reader()
        app = try EventFile.read(path: path, map: map) { reader.take($0) }
        orders = reader.orders
        for index in orders.indices {
            duplicates += orders[index].arrange()
            events += orders[index].facts.count
        }
    }

    /// The same orders with arrival times on top (`InventedArrivals`).
    package func inventingArrivals(seed: UInt64) -> RecordedStream {
        let arrivals = InventedArrivals(seed: seed)
        return with(orders.map { arrivals.added(to: $0) })
    }

    /// The first orders only.
    package func prefix(_ count: Int) -> RecordedStream { with(Array(orders.prefix(count))) }

    private func with(_ orders: [RecordedOrder]) -> RecordedStream {
        var stream = RecordedStream(orders)
        stream.duplicates = duplicates
        stream.app = app
        return stream
    }
}

/// From events to the facts of orders.
private struct Reader {
    private(set) var orders: [RecordedOrder] = []
    private var places: [OrderID: Int] = [:]
    private var last: Instant?

    init() {}

    /// Nil, or what is wrong with the event.
    mutating func take(_ event: FileEvent) -> String? {
        let name = "event \(event.id) of order \(event.subject)"
        guard let time = event.time.map({ Instant(microseconds: $0) }) ?? last else { return "\(name): no time" }
        last = time
        let data = event.event["data"]?.objectValue ?? JSONObject()
        var digest = Digest()
        digest.add(event.event["sourcetype"]?.stringValue ?? "")
        digest.add(JSON.object(data).serialized())
        do throws(PartnerDataError) {
            let fact = PartnerFact(
                type: EventType(event.event["type"]?.stringValue ?? ""),
                source: event.source,
                id: event.id,
                occurredAt: event.time.map { Instant(microseconds: $0) },
                recordedAt: time,
                flags: event.time == nil ? .timeAssumed : [],
                data: try PartnerData(data),
                contentDigest: digest.value
            )
            add(fact, to: OrderID(event.subject))
            return nil
        } catch {
            return "\(name): \(error)"
        }
    }

    private mutating func add(_ fact: PartnerFact, to id: OrderID) {
        let place = places[id] ?? orders.count
        if place == orders.count {
            places[id] = place
            orders.append(RecordedOrder(id: id))
        }
        orders[place].facts.append(fact)
        orders[place].customer = orders[place].customer ?? fact.data.customer
    }
}
