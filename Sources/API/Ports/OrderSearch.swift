package import Service
package import Tracking

/// `GET /v1/orders`: by a number, or by what is known of the orders.
package enum OrderSearch: Hashable, Sendable {
    /// Known by a number that begins with this.
    case reference(String)
    case filter(OrderFilter)
}

/// An order in a list, without anything personal.
package struct OrderSummary: Hashable, Sendable {
    package var order: OrderID
    package var phase: Phase
    package var since: Int64?
    package var restaurant: String?
    package var placedAt: Int64
    /// Of the newest fact.
    package var lastAt: Int64
    package var closedAt: Int64?
    package var eta: Int64?
    package var flags: Order.Flags
    /// The kind and value of the number it was found by.
    package var match: Match?

    package struct Match: Hashable, Sendable {
        package var kind: String
        package var value: String

        package init(kind: String, value: String) {
            self.kind = kind
            self.value = value
        }
    }

    package init(
        order: OrderID,
        phase: Phase,
        since: Int64?,
        restaurant: String?,
        placedAt: Int64,
        lastAt: Int64,
        closedAt: Int64?,
        eta: Int64?,
        flags: Order.Flags,
        match: Match?
    ) {
        self.order = order
        self.phase = phase
        self.since = since
        self.restaurant = restaurant
        self.placedAt = placedAt
        self.lastAt = lastAt
        self.closedAt = closedAt
        self.eta = eta
        self.flags = flags
        self.match = match
    }
}

/// A stream that rests, as a fact of it cannot be folded.
package struct ParkedEntry: Hashable, Sendable {
    package var kind: String
    package var stream: String
    package var since: Int64
    /// The first fact that was not folded, by its number in the stream.
    package var fromVersion: Int
    package var reason: String
    package var detail: String?

    package init(
        kind: String,
        stream: String,
        since: Int64,
        fromVersion: Int,
        reason: String,
        detail: String?
    ) {
        self.kind = kind
        self.stream = stream
        self.since = since
        self.fromVersion = fromVersion
        self.reason = reason
        self.detail = detail
    }
}

/// An event whose id its source had used before for other content.
package struct QuarantinedEntry: Hashable, Sendable {
    package var order: String
    package var source: String
    package var type: String
    package var id: String
    package var times: Int
    package var firstAt: Int64
    package var lastAt: Int64

    package init(
        order: String,
        source: String,
        type: String,
        id: String,
        times: Int,
        firstAt: Int64,
        lastAt: Int64
    ) {
        self.order = order
        self.source = source
        self.type = type
        self.id = id
        self.times = times
        self.firstAt = firstAt
        self.lastAt = lastAt
    }
}
