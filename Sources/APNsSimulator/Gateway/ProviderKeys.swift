package import Crypto

/// A key that a developer account has registered with Apple.
package struct ProviderKeyRegistration: Sendable, Codable {
    /// Ten characters, the `kid` of a provider token.
    package var id: String
    /// Ten characters, the `iss`.
    package var team: String
    package var publicKey: ES256PublicKey
    package var environments: Set<PushEnvironment>
    /// Bundle ids of a topic-specific key; nil for a team-scoped one (contract 1.5.8).
    package var bundleIDs: Set<String>?
    /// The one other key that a topic-specific key may share a connection with.
    package var relatedID: String?

    package init(
        id: String,
        team: String,
        publicKey: ES256PublicKey,
        environments: Set<PushEnvironment> = Set(PushEnvironment.allCases),
        bundleIDs: Set<String>? = nil,
        relatedID: String? = nil
    ) {
        self.id = id
        self.team = team
        self.publicKey = publicKey
        self.environments = environments
        self.bundleIDs = bundleIDs
        self.relatedID = relatedID
    }
}

/// Verifies provider tokens (contract 18, 19, 22).
struct ProviderKeys: Sendable, Codable {
    /// Apple: `iat` must be within one hour of now.
    static let maximumAge: Int64 = 3600

    /// Provider tokens are secrets and kept nowhere.
    private enum CodingKeys: CodingKey { case keys, revoked }

    private var keys: [String: ProviderKeyRegistration]
    /// Header values whose signature was good: one token serves thousands of requests.
    private var verified: [String: ProviderToken] = [:]
    private(set) var revoked: Set<String> = []

    init(_ registrations: [ProviderKeyRegistration]) {
        keys = Dictionary(registrations.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }

    /// These, and those that are known from before. Who was revoked stays revoked.
    init(_ registrations: [ProviderKeyRegistration], before: ProviderKeys) {
        self.init(registrations)
        keys.merge(before.keys) { new, _ in new }
        revoked = before.revoked
    }

    mutating func register(_ key: ProviderKeyRegistration) {
        keys[key.id] = key
        revoked.remove(key.id)
        verified = [:]
    }

    mutating func revoke(_ id: String) { revoked.insert(id) }

    func registration(_ id: String) -> ProviderKeyRegistration? { keys[id] }

    /// The believed token, or the refusal. `now` is in Unix seconds by APNs' own clock.
    mutating func verify(
        _ authorization: String?,
        on environment: PushEnvironment,
        now: Int64,
        _ knobs: Knobs.Auth
    ) throws(Refusal) -> ProviderToken {
        guard let authorization else { throw Refusal(.missingProviderToken) }
        let token = try believed(authorization)
        guard let key = keys[token.keyID], !(knobs.isStrict && token.isLax) else {
            throw Refusal(.invalidProviderToken)
        }
        guard !revoked.contains(token.keyID) else { throw Refusal(knobs.revokedKey) }
        guard now - token.issuedAt <= Self.maximumAge else { throw Refusal(.expiredProviderToken) }
        guard token.issuedAt - now <= Self.maximumAge else { throw Refusal(.invalidProviderToken) }
        guard key.environments.contains(environment) else { throw Refusal(knobs.otherEnvironment) }
        return token
    }

    private mutating func believed(_ authorization: String) throws(Refusal) -> ProviderToken {
        if let token = verified[authorization] { return token }
        guard let token = ProviderToken(authorization: authorization), let key = keys[token.keyID],
            key.team == token.team, isSigned(token, by: key.publicKey)
        else { throw Refusal(.invalidProviderToken) }
        if verified.count >= 64 { verified = [:] }
        verified[authorization] = token
        return token
    }

    private func isSigned(_ token: ProviderToken, by key: ES256PublicKey) -> Bool {
        token.signature.count == 64
            ? key.isValid(token.signature, for: token.signed)
            : key.isValid(der: token.signature, for: token.signed)
    }
}
