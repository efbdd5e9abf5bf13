private import JSONText

/// The events of a replay in the order they are sent, and the orders they belong to.
struct Recording: Sendable {
    struct Row: Sendable {
        /// Index into `orders`.
        let order: Int
        let source: String
        let id: String
        /// Event time in microseconds since 1970; that of the row before where the file has none.
        let time: Int64
        /// The CloudEvent as it is posted.
        let body: [UInt8]
        /// Where a courier is: Doorstep takes it and keeps no event of it.
        let isPosition: Bool
    }

    struct Order: Sendable {
        let id: String
        /// Whose phones show this order; nil when no event names a customer.
        let customer: String?
        /// Rows in sending order, each as often as it is repeated.
        fileprivate(set) var sequence: [Int] = []
    }

    private(set) var rows: [Row]
    /// In the order of their first row sent.
    private(set) var orders: [Order]
    /// Row indices in sending order.
    private(set) var sequence: [Int]

    /// Arranges rows by event time, file order among equals; a shuffle seed permutes all rows instead.
    init(_ events: [FileEvent], settings: ReplaySettings) {
        let events = Self.byTime(events)
        var sequence = events.indices.flatMap { repeatElement($0, count: settings.repeats) }
        if let seed = settings.shuffle { Self.shuffle(&sequence, seed: seed) }
        self.sequence = sequence
        orders = []
        var places: [String: Int] = [:]
        let customers = OrderCustomers(events.map(\.event), phones: settings.phones)
        for row in sequence {
            let id = events[row].event.subject
            if places[id] == nil {
                places[id] = orders.count
                orders.append(Order(id: id, customer: customers[id]))
            }
        }
        rows = events.map { timed in
            Row(
                order: places[timed.event.subject] ?? 0,
                source: timed.event.source,
                id: timed.event.id,
                time: timed.time,
                body: customers.addressed(timed.event),
                isPosition: timed.event.event["type"] == "courier.location"
            )
        }
        for row in sequence { orders[rows[row].order].sequence.append(row) }
    }

    private struct Timed {
        let event: FileEvent
        let time: Int64
    }

    private static func byTime(_ events: [FileEvent]) -> [Timed] {
        var last = Int64.min
        let timed = events.map { event in
            last = event.time ?? last
            return Timed(event: event, time: last)
        }
        // `sort` is stable, but does not promise to stay so.
        return timed.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }
}
