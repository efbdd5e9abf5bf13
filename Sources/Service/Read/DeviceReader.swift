internal import Crypto
package import Postgres
internal import PostgresStore
package import Tracking

/// Reads devices as their streams left them.
package struct DeviceReader: Sendable {
    package struct Snapshot: Sendable {
        package let stream: DeviceStream
        /// Sealed start token.
        package let token: [UInt8]?
        /// Sealed ordinary token.
        package let deviceToken: [UInt8]?
        /// Whether the customer's stream knows of it.
        package let isLinked: Bool
        /// Nothing in the log waits to be folded.
        package let isCurrent: Bool
    }

    private let pool: PostgresPool
    private let lanes: Int

    package init(pool: PostgresPool, lanes: Int) {
        self.pool = pool
        self.lanes = lanes
    }

    /// nil: the log has nothing of it. The head is read last: what comes between makes it look less current.
    package func device(app: Int32, _ device: DeviceID) async throws -> Snapshot? {
        let address = StreamAddress(app: app, kind: .device, stream: device.value)
        let lane = address.lane(of: lanes)
        let (rows, heads) = try await pool.run(
            Devices.load(lane: lane, [DeviceKey(app: app, device: device)]),
            EventLog.heads(lane: lane, keys: [address.key])
        )
        guard let head = heads.first else { return nil }
        let row = rows.first
        let stream = try row.map { try DeviceStream(id: device, stored: $0.settings) } ?? DeviceStream(id: device)
        return Snapshot(
            stream: stream,
            token: row?.startToken,
            deviceToken: row?.deviceToken,
            isLinked: try await isLinked(app: app, stream),
            isCurrent: stream.version == Int(head.version)
        )
    }

    /// The device as far as it is folded; nil: nothing is.
    package func stream(app: Int32, _ device: DeviceID) async throws -> DeviceStream? {
        let lane = StreamAddress(app: app, kind: .device, stream: device.value).lane(of: lanes)
        let rows = try await pool.run(Devices.load(lane: lane, [DeviceKey(app: app, device: device)]))
        return try rows.first.map { try DeviceStream(id: device, stored: $0.settings) }
    }

    /// The devices that a customer's stream knows of.
    package func devices(app: Int32, of customer: CustomerID) async throws -> Set<DeviceID> {
        let lane = StreamAddress(app: app, kind: .customer, stream: customer.value).lane(of: lanes)
        let links = try await pool.run(CustomerLinks.load(lane: lane, [CustomerKey(app: app, customer: customer)]))
        return Set(links.filter { $0.key.kind == .device }.map { DeviceID($0.key.member) })
    }

    private func isLinked(app: Int32, _ stream: DeviceStream) async throws -> Bool {
        guard let customer = stream.customer else { return false }
        return try await devices(app: app, of: customer).contains(stream.id)
    }
}
