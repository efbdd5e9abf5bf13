private import JSONText
private import Runtime

/// Invents a stream of orders that looks like real ones: `doorstep generate`.
package struct Generator {
    private let orders: Int
    private let seed: UInt64
    private let end: Int64
    /// When each order begins, in microseconds after the first.
    private let begins: [Int64]

    /// `end` is the time of the newest event, in microseconds since 1970. Equal arguments give equal bytes.
    package init(orders: Int, seed: UInt64, end: Int64) {
        self.orders = orders
        self.seed = seed
        self.end = end
        var generator = SplitMix64(seed: seed)
        var begin: Int64 = 0
        begins = (0..<orders).map { _ in
            begin += Gap.betweenOrders.draw(&generator)
            return begin
        }
    }

    /// One event of the stream; its story is told again when its turn comes, which keeps a large stream small.
    private struct Place {
        let at: Int64
        let order: Int
        let step: Int
    }

    /// Hands over the events in order of time, each as one line of JSON without its end.
    package func run(_ line: ([UInt8]) throws -> Void) rethrows {
        let places = (0..<orders).flatMap { order in
            OrderStory(order: order, seed: seed, begin: begins[order]).events.enumerated()
                .map { Place(at: begins[order] + $0.element.at, order: order, step: $0.offset) }
        }
        .sorted { ($0.at, $0.order, $0.step) < ($1.at, $1.order, $1.step) }
        guard let newest = places.last?.at else { return }
        let shift = end - newest
        for place in places {
            let story = OrderStory(order: place.order, seed: seed, begin: begins[place.order] + shift)
            try line(event(story.events[place.step], at: place, shift: shift).serialized())
        }
    }

    /// Ids carry seed and end: two streams share no order, so a second one is not taken for a changed first one.
    private func event(_ event: OrderStory.Event, at place: Place, shift: Int64) -> JSON {
        let order = "g\(seed)-\(String(end / 1_000_000, radix: 36))-\(place.order)"
        var json: JSONObject = [
            "specversion": "1.0", "source": "generator", "id": .string("\(order)/\(place.step)"),
            "type": .string(event.type), "subject": .string(order), "time": .string(RFC3339.format(place.at + shift)),
        ]
        if !event.data.isEmpty { json["data"] = .object(event.data) }
        return .object(json)
    }
}
