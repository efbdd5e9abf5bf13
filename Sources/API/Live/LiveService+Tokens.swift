internal import Crypto
internal import JSONText
internal import Service
internal import Tracking

/// Push tokens on their way from the app into a fact.
extension LiveService {
    /// The name of a token value; nil: Apple called it dead at or after the moment at which the app observed it, so the app
    /// must ask for a new one (field case P37).
    func living(
        _ token: String,
        _ kind: TokenKind,
        _ environment: APNsEnvironment,
        observedAt: Int64,
        app: Int32
    ) async throws(Unavailable) -> TokenID? {
        let tokens = TokenReader(pool: pool, vault: vault, lanes: lanes)
        let id = tokens.id(of: token, kind: kind, environment: environment)
        let isDead = try await reading {
            try await tokens.isDead(app: app, id, observedAt: Instant(microseconds: observedAt))
        }
        return isDead ? nil : id
    }

    /// A push token as it goes into a fact.
    func sealed(_ token: String, _ purpose: String) throws(Unavailable) -> JSON {
        do {
            return .string(Base64.encode(try vault.seal(token, purpose: purpose)))
        } catch {
            throw Unavailable(.databaseUnavailable)
        }
    }
}
