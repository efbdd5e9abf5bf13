internal import Crypto
package import Postgres
internal import PostgresStore
package import Tracking

/// Names token values, and tells the dead ones.
package struct TokenReader: Sendable {
    private let pool: PostgresPool
    private let vault: Vault
    private let lanes: Int

    package init(pool: PostgresPool, vault: Vault, lanes: Int) {
        self.pool = pool
        self.vault = vault
        self.lanes = lanes
    }

    /// The id of a value's stream; it tells nothing of the value to those without the master key.
    package func id(of token: String, kind: TokenKind, environment: APNsEnvironment) -> TokenID {
        TokenKey(app: 0, hash: vault.hash(token), kind: kind, environment: environment).id
    }

    /// Whether Apple called the value dead at or after the moment at which the app observed it (rule 10).
    package func isDead(app: Int32, _ id: TokenID, observedAt: Instant) async throws -> Bool {
        guard let key = TokenKey(app: app, id) else { return false }
        let lane = StreamAddress(app: app, kind: .token, stream: id.value).lane(of: lanes)
        let rows = try await pool.run(TokenOwners.load(lane: lane, [key]))
        return rows.first?.deadAt.map { observedAt.microseconds <= $0 } ?? false
    }
}
