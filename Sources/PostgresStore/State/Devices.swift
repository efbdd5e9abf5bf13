package import Postgres
package import Tracking

/// A device as its stream left it. Its tokens are sealed.
package struct DeviceRow: Hashable, Sendable, RowDecodable {
    package var app: Int32
    package var device: DeviceID
    /// Counts registrations of the start token.
    package var generation: Int32
    package var keyID: Int32
    package var registeredAt: Int64
    /// Days since 1970 (UTC); coarse, for the list of dead devices.
    package var seenDay: Int32
    package var customer: CustomerID
    package var startToken: [UInt8]?
    package var deviceToken: [UInt8]?
    package var settings: [UInt8]

    package init(
        app: Int32,
        device: DeviceID,
        generation: Int32,
        keyID: Int32,
        registeredAt: Int64,
        seenDay: Int32,
        customer: CustomerID,
        startToken: [UInt8]? = nil,
        deviceToken: [UInt8]? = nil,
        settings: [UInt8]
    ) {
        self.app = app
        self.device = device
        self.generation = generation
        self.keyID = keyID
        self.registeredAt = registeredAt
        self.seenDay = seenDay
        self.customer = customer
        self.startToken = startToken
        self.deviceToken = deviceToken
        self.settings = settings
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        app = try row.int4()
        device = try row.device()
        generation = try row.int4()
        keyID = try row.int4()
        registeredAt = try row.timestamptz()
        seenDay = try row.int4()
        customer = try row.customer()
        startToken = try row.byteaOrNull()
        deviceToken = try row.byteaOrNull()
        settings = try row.bytea()
    }
}

/// What a start or an alert needs of a device.
package struct DeviceTokens: Hashable, Sendable, RowDecodable {
    package var app: Int32
    package var device: DeviceID
    package var customer: CustomerID
    package var generation: Int32
    package var keyID: Int32
    package var registeredAt: Int64
    package var startToken: [UInt8]?
    package var deviceToken: [UInt8]?
    package var settings: [UInt8]

    package init(from row: inout PGRow) throws(PostgresError) {
        app = try row.int4()
        device = try row.device()
        customer = try row.customer()
        generation = try row.int4()
        keyID = try row.int4()
        registeredAt = try row.timestamptz()
        startToken = try row.byteaOrNull()
        deviceToken = try row.byteaOrNull()
        settings = try row.bytea()
    }
}

package enum Devices {
    package static func load(lane: Int32, _ keys: [DeviceKey]) -> Query<[DeviceRow]> {
        .list(loadStatement, [.int4(lane)] + keys.columns)
    }

    /// Read at the moment of sending; one lane per call.
    package static func tokens(lane: Int32, _ keys: [DeviceKey]) -> Query<[DeviceTokens]> {
        .list(tokensStatement, [.int4(lane)] + keys.columns)
    }

    package static func save(lane: Int32, _ rows: [DeviceRow]) -> [Write] {
        .unless(
            rows.isEmpty,
            saveStatement,
            [
                .int4(lane), .int4Array(rows.map(\.app)), .textArray(rows.map(\.device.value)),
                .int4Array(rows.map(\.generation)), .int4Array(rows.map(\.keyID)),
                .timestamptzArray(rows.map(\.registeredAt)), .int4Array(rows.map(\.seenDay)),
                .textArray(rows.map(\.customer.value)), .byteaArray(rows.map(\.startToken)),
                .byteaArray(rows.map(\.deviceToken)), .byteaArray(rows.map(\.settings)),
            ]
        )
    }

    package static func delete(lane: Int32, _ keys: [DeviceKey]) -> [Write] {
        .unless(keys.isEmpty, deleteStatement, [.int4(lane)] + keys.columns)
    }

    private static let loadStatement = Statement(
        "load_devices",
        """
        SELECT d.app, d.device, d.generation, d.key_id, d.registered_at, d.seen_day, d.customer, d.start_token,
          d.device_token, d.settings
        FROM unnest($2, $3) k(app, device) JOIN device d ON d.lane = $1 AND d.app = k.app AND d.device = k.device
        """
    )

    private static let tokensStatement = Statement(
        "device_tokens",
        """
        SELECT d.app, d.device, d.customer, d.generation, d.key_id, d.registered_at, d.start_token, d.device_token,
          d.settings
        FROM unnest($2, $3) k(app, device) JOIN device d ON d.lane = $1 AND d.app = k.app AND d.device = k.device
        """
    )

    private static let saveStatement = Statement(
        "save_devices",
        """
        INSERT INTO device (lane, app, device, generation, key_id, registered_at, seen_day, customer, start_token, device_token,
          settings)
        SELECT $1, u.* FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11) u
        ON CONFLICT (lane, app, device) DO UPDATE SET generation = excluded.generation, key_id = excluded.key_id,
          registered_at = excluded.registered_at, seen_day = excluded.seen_day, customer = excluded.customer,
          start_token = excluded.start_token, device_token = excluded.device_token, settings = excluded.settings
        """
    )

    private static let deleteStatement = Statement(
        "delete_devices",
        """
        DELETE FROM device d USING unnest($2, $3) k(app, device)
        WHERE d.lane = $1 AND d.app = k.app AND d.device = k.device
        """
    )
}
