internal import Crypto
internal import Postgres
internal import PostgresStore
internal import Tracking

/// Reads streams' states from their rows, those of one lane in one round trip; tokens, which are rare, in another.
struct StreamLoader: Sendable {
    let pool: PostgresPool
    let lane: Int32

    func load(_ addresses: [StreamAddress], into projection: inout Projection) async throws {
        let orders = addresses.filter { $0.kind == .order }
        let devices = addresses.filter { $0.kind == .device }
        let customers = addresses.filter { $0.kind == .customer }
        let orderKeys = orders.map { OrderKey(app: $0.app, order: OrderID($0.stream)) }
        let (orderRows, activityRows, deviceRows, linkRows) = try await pool.run(
            Orders.load(lane: lane, orderKeys),
            Activities.ofOrders(lane: lane, orderKeys),
            Devices.load(lane: lane, devices.map { DeviceKey(app: $0.app, device: DeviceID($0.stream)) }),
            CustomerLinks.load(
                lane: lane,
                customers.map { CustomerKey(app: $0.app, customer: CustomerID($0.stream)) }
            )
        )
        let entries = try Self.entries(orderRows, activityRows)
        for address in orders {
            projection.load(order: address, entries[OrderKey(app: address.app, order: OrderID(address.stream))])
        }
        var deviceEntries: [DeviceKey: LaneMemory.DeviceEntry] = [:]
        for row in deviceRows {
            deviceEntries[DeviceKey(app: row.app, device: row.device)] = LaneMemory.DeviceEntry(
                stream: try DeviceStream(id: row.device, stored: row.settings),
                token: row.startToken,
                deviceToken: row.deviceToken
            )
        }
        for address in devices {
            projection.load(
                device: address,
                deviceEntries[DeviceKey(app: address.app, device: DeviceID(address.stream))]
            )
        }
        var streams: [CustomerKey: CustomerStream] = [:]
        for (key, rows) in Dictionary(
            grouping: linkRows,
            by: { CustomerKey(app: $0.key.app, customer: $0.key.customer) }
        ) {
            streams[key] = try Self.customer(key.customer, rows)
        }
        for address in customers {
            projection.load(
                customer: address,
                streams[CustomerKey(app: address.app, customer: CustomerID(address.stream))]
            )
        }
        let tokens = addresses.filter { $0.kind == .token }
        if !tokens.isEmpty { try await load(tokens: tokens, into: &projection) }
    }

    private func load(tokens: [StreamAddress], into projection: inout Projection) async throws {
        let keys = tokens.compactMap { TokenKey(app: $0.app, TokenID($0.stream)) }
        let rows = try await pool.run(TokenOwners.load(lane: lane, keys))
        let states = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, TokenStream.State($0)) })
        for address in tokens {
            projection.load(
                token: address,
                TokenKey(app: address.app, TokenID(address.stream)).flatMap { states[$0] }
            )
        }
    }

    /// Orders with their cards.
    static func entries(
        _ orders: [OrderRow],
        _ activities: [ActivityRow]
    ) throws(StoredFormError) -> [OrderKey: LaneMemory.OrderEntry] {
        var cards: [OrderKey: [Activity]] = [:]
        var tokens: [OrderKey: [CardKey: [UInt8]]] = [:]
        for row in activities {
            let key = OrderKey(app: row.key.app, order: row.key.order)
            cards[key, default: []].append(
                try Activity(device: row.key.device, incarnation: row.key.incarnation, stored: row.state)
            )
            if let token = row.token { tokens[key, default: [:]][row.key] = token }
        }
        var entries: [OrderKey: LaneMemory.OrderEntry] = [:]
        for row in orders {
            let key = OrderKey(app: row.app, order: row.order)
            entries[key] = LaneMemory.OrderEntry(
                stream: try OrderStream(id: row.order, stored: row.state, activities: cards[key] ?? []),
                tokens: tokens[key] ?? [:]
            )
        }
        return entries
    }

    private static func customer(
        _ id: CustomerID,
        _ rows: [CustomerLinkRow]
    ) throws(StoredFormError) -> CustomerStream {
        var devices: [DeviceID: DeviceSnapshot] = [:]
        var orders: Set<OrderID> = []
        for row in rows {
            switch row.key.kind {
            case .device:
                let snapshot = try DeviceSnapshot(stored: row.body ?? [])
                devices[snapshot.device] = snapshot
            case .order:
                orders.insert(OrderID(row.key.member))
            case .customer, .token:
                break
            }
        }
        return CustomerStream(id: id, devices: devices, orders: orders)
    }
}
