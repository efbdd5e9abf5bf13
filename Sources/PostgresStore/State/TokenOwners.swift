private import Crypto
package import Postgres
package import Tracking

/// A token value inside the lane of its token stream: its keyed hash, what it is for, and where.
package struct TokenKey: Hashable, Sendable, RowDecodable {
    package var app: Int32
    package var hash: [UInt8]
    package var kind: TokenKind
    package var environment: APNsEnvironment

    package init(
        app: Int32,
        hash: [UInt8],
        kind: TokenKind,
        environment: APNsEnvironment
    ) {
        self.app = app
        self.hash = hash
        self.kind = kind
        self.environment = environment
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        app = try row.int4()
        hash = try row.bytea()
        kind = try row.tokenKind()
        environment = try row.environment()
    }
}

/// The id of the value's stream: two letters for kind and environment, and the hash in hexadecimal.
extension TokenKey {
    package var id: TokenID {
        let letters = String(decoding: [kind.letter, environment.letter], as: UTF8.self)
        return TokenID("\(letters).\(Hex.encode(hash))")
    }

    /// nil for what is no id of a token.
    package init?(app: Int32, _ id: TokenID) {
        let bytes = Array(id.value.utf8)
        guard bytes.count > 3, bytes[2] == UInt8(ascii: "."), let kind = TokenKind(letter: bytes[0]),
            let environment = APNsEnvironment(letter: bytes[1]), let hash = Hex.decode(id.value.dropFirst(3))
        else { return nil }
        self.init(app: app, hash: hash, kind: kind, environment: environment)
    }
}

extension TokenKind {
    fileprivate var letter: UInt8 {
        switch self {
        case .start: UInt8(ascii: "s")
        case .update: UInt8(ascii: "u")
        case .device: UInt8(ascii: "d")
        // Channels have no token, so none is stored.
        case .channel: UInt8(ascii: "c")
        }
    }

    init?(letter: UInt8) {
        guard let kind = [TokenKind.start, .update, .device].first(where: { $0.letter == letter }) else { return nil }
        self = kind
    }
}

extension APNsEnvironment {
    fileprivate var letter: UInt8 {
        switch self {
        case .sandbox: UInt8(ascii: "s")
        case .production: UInt8(ascii: "p")
        }
    }

    init?(letter: UInt8) {
        guard let found = [APNsEnvironment.sandbox, .production].first(where: { $0.letter == letter }) else {
            return nil
        }
        self = found
    }
}

/// Who owns a token value.
package struct TokenOwnerRow: Hashable, Sendable, RowDecodable {
    package var key: TokenKey
    package var device: DeviceID
    package var order: OrderID?
    /// Version of the owner's stream when it claimed the value.
    package var claim: Int32
    /// When Apple said it is dead.
    package var deadAt: Int64?

    package init(key: TokenKey, device: DeviceID, order: OrderID? = nil, claim: Int32, deadAt: Int64? = nil) {
        self.key = key
        self.device = device
        self.order = order
        self.claim = claim
        self.deadAt = deadAt
    }

    package init(from row: inout PGRow) throws(PostgresError) {
        key = try TokenKey(from: &row)
        device = try row.device()
        order = try row.orderOrNull()
        claim = try row.int4()
        deadAt = try row.timestamptzOrNull()
    }
}

extension [TokenKey] {
    fileprivate var columns: [PGValue] {
        [
            .int4Array(map(\.app)), .byteaArray(map(\.hash)), .charArray(map(\.kind.letter)),
            .charArray(map(\.environment.letter)),
        ]
    }
}

package enum TokenOwners {
    package static func load(lane: Int32, _ keys: [TokenKey]) -> Query<[TokenOwnerRow]> {
        .list(loadStatement, [.int4(lane)] + keys.columns)
    }

    package static func save(lane: Int32, _ rows: [TokenOwnerRow]) -> [Write] {
        .unless(
            rows.isEmpty,
            saveStatement,
            [.int4(lane)] + rows.map(\.key).columns
                + [
                    .textArray(rows.map(\.device.value)), .textArray(rows.map(\.order?.value)),
                    .int4Array(rows.map(\.claim)), .timestamptzArray(rows.map(\.deadAt)),
                ]
        )
    }

    package static func delete(lane: Int32, _ keys: [TokenKey]) -> [Write] {
        .unless(keys.isEmpty, deleteStatement, [.int4(lane)] + keys.columns)
    }

    private static let loadStatement = Statement(
        "load_token_owners",
        """
        SELECT t.app, t.hash, t.kind, t.environment, t.device, t.order_id, t.claim, t.dead_at
        FROM unnest($2, $3, $4, $5) k(app, hash, kind, environment)
          JOIN token_owner t ON t.lane = $1 AND t.app = k.app AND t.hash = k.hash AND t.kind = k.kind
            AND t.environment = k.environment
        """
    )

    private static let saveStatement = Statement(
        "save_token_owners",
        """
        INSERT INTO token_owner (lane, app, hash, kind, environment, device, order_id, claim, dead_at)
        SELECT $1, u.* FROM unnest($2, $3, $4, $5, $6, $7, $8, $9) u
        ON CONFLICT (lane, app, hash, kind, environment)
          DO UPDATE SET device = excluded.device, order_id = excluded.order_id, claim = excluded.claim,
            dead_at = excluded.dead_at
        """
    )

    private static let deleteStatement = Statement(
        "delete_token_owners",
        """
        DELETE FROM token_owner t USING unnest($2, $3, $4, $5) k(app, hash, kind, environment)
        WHERE t.lane = $1 AND t.app = k.app AND t.hash = k.hash AND t.kind = k.kind AND t.environment = k.environment
        """
    )
}
