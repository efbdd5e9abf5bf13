package import Postgres
package import Tracking

/// An order inside a lane.
package struct OrderKey: Hashable, Sendable, RowDecodable {
    package var app: Int32
    package var order: OrderID

    package init(
        app: Int32,
        order: OrderID
    ) {
        self.app = app
        self.order = order
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        app = try row.int4()
        order = try row.order()
    }
}

/// A device inside a lane.
package struct DeviceKey: Hashable, Sendable, RowDecodable {
    package var app: Int32
    package var device: DeviceID

    package init(
        app: Int32,
        device: DeviceID
    ) {
        self.app = app
        self.device = device
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        app = try row.int4()
        device = try row.device()
    }
}

/// A customer inside a lane.
package struct CustomerKey: Hashable, Sendable, RowDecodable {
    package var app: Int32
    package var customer: CustomerID

    package init(
        app: Int32,
        customer: CustomerID
    ) {
        self.app = app
        self.customer = customer
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        app = try row.int4()
        customer = try row.customer()
    }
}

/// A card inside a lane: one life of a Live Activity of an order on a device; with incarnation 0 the alert in the place of
/// all its cards.
package struct CardKey: Hashable, Sendable, RowDecodable {
    package var app: Int32
    package var order: OrderID
    package var device: DeviceID
    package var incarnation: Int

    package init(app: Int32, order: OrderID, device: DeviceID, incarnation: Int) {
        self.app = app
        self.order = order
        self.device = device
        self.incarnation = incarnation
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        app = try row.int4()
        order = try row.order()
        device = try row.device()
        incarnation = Int(try row.int4())
    }
}

/// Where an intention goes.
package enum SlotTarget: UInt8, Hashable, Sendable {
    /// A card on a phone.
    case card = 0x61
    /// The ordinary alert in its place.
    case fallback = 0x66
    /// The order's broadcast channel (`Channel.device`).
    case channel = 0x63
}

/// A slot inside a lane.
package struct SlotKey: Hashable, Sendable, RowDecodable {
    package var card: CardKey
    package var target: SlotTarget

    package init(card: CardKey, target: SlotTarget = .card) {
        self.card = card
        self.target = target
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        card = try CardKey(from: &row)
        target = try row.target()
    }
}
