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
    private let shared = Locked(Shared())

    private struct Shared {
        var state = ProviderTokenState()
        var clocks = ClockComparison()

        /// Our clocks, the wall clock corrected where it is far from APNs'.
        func corrected(_ reading: ClockReading) -> ClockReading {
            ClockReading(wallSeconds: reading.wallSeconds + clocks.correction, monotonic: reading.monotonic)
        }
    }

    package init(
        team: String,
        key: ProviderKey,
        clock: @escaping @Sendable () -> ClockReading = { ClockReading.now }
    ) {
        self.team = team
        self.key = key
        self.clock = clock
    }

    /// How many seconds APNs' clock is ahead of ours; nil while it has not answered.
    package var clockSkew: Int64? { shared.withLock { $0.clocks.skew } }

    func token() throws(CryptoError) -> ProviderToken {
        let reading = clock()
        return try shared.withLock { shared throws(CryptoError) in
            let now = shared.corrected(reading)
            switch shared.state.token(at: now) {
            case .use(let token): return token
            case .mint(let issuedAt):
                let token = try sign(issuedAt: issuedAt)
                shared.state.minted(token, issuedAt: issuedAt, at: now)
                return token
            }
        }
    }

    /// See `ProviderTokenState.expired(_:at:)`.
    func expired(_ token: ProviderToken) -> Bool {
        let reading = clock()
        return shared.withLock { $0.state.expired(token, at: $0.corrected(reading)) }
    }

    func tooManyUpdates() {
        let reading = clock()
        shared.withLock { $0.state.tooManyUpdates(at: $0.corrected(reading)) }
    }

    /// APNs says that it is so many seconds after 1970.
    func compare(withAPNs seconds: Int64) {
        let ours = clock().wallSeconds
        shared.withLock { $0.clocks.compare(apns: seconds, ours: ours) }
    }

    private func sign(issuedAt seconds: Int64) throws(CryptoError) -> ProviderToken {
        let header: JSON = ["alg": "ES256", "kid": .string(key.id)]
        let claims: JSON = ["iss": .string(team), "iat": .integer(seconds)]
        let message = Base64URL.encode(header.serialized()) + "." + Base64URL.encode(claims.serialized())
        let signature = try key.privateKey.sign(Array(message.utf8))
        return ProviderToken(authorization: "bearer \(message).\(Base64URL.encode(signature))")
    }
}
