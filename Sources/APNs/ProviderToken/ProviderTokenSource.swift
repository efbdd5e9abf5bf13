package import Crypto
private import JSONText
private import Runtime

/// The JWT that authenticates a provider (Apple, "Establishing a token-based connection to APNs").
struct ProviderToken: Hashable, Sendable {
    /// The value of the `authorization` header; a secret.
    let authorization: String
}

/// A team's signing key with its ten-character id.
package struct ProviderKey: Sendable {
    package let id: String
    package let privateKey: ES256PrivateKey

    package init(id: String, privateKey: ES256PrivateKey) {
        self.id = id
        self.privateKey = privateKey
    }
}

/// The one provider token of a key, shared by everything that pushes with it: signing happens under a lock, so that a
/// thousand requests at once mint one token (P25, P26).
package final class ProviderTokenSource: Sendable {
    package let team: String
    private let key: ProviderKey
    private let clock: @Sendable () -> ClockReading
    private let state = Locked(ProviderTokenState())

    package init(
        team: String,
        key: ProviderKey,
        clock: @escaping @Sendable () -> ClockReading = { ClockReading.now }
    ) {
        self.team = team
        self.key = key
        self.clock = clock
    }

    func token() throws(CryptoError) -> ProviderToken {
        let now = clock()
        return try state.withLock { state throws(CryptoError) in
            switch state.token(at: now) {
            case .use(let token): return token
            case .mint:
                let token = try sign(issuedAt: now.wallSeconds)
                state.minted(token, at: now)
                return token
            }
        }
    }

    /// See `ProviderTokenState.expired(_:at:)`.
    func expired(_ token: ProviderToken) -> Bool {
        let now = clock()
        return state.withLock { $0.expired(token, at: now) }
    }

    func tooManyUpdates() {
        let now = clock()
        state.withLock { $0.tooManyUpdates(at: now) }
    }

    private func sign(issuedAt seconds: Int64) throws(CryptoError) -> ProviderToken {
        let header: JSON = ["alg": "ES256", "kid": .string(key.id)]
        let claims: JSON = ["iss": .string(team), "iat": .integer(seconds)]
        let message = Base64URL.encode(header.serialized()) + "." + Base64URL.encode(claims.serialized())
        let signature = try key.privateKey.sign(Array(message.utf8))
        return ProviderToken(authorization: "bearer \(message).\(Base64URL.encode(signature))")
    }
}
