package import JSONText

/// The keys that tokens of one issuer may be signed with.
package struct TokenKeys: Sendable {
    /// A document with more keys is a mistake.
    private static let most = 64

    private let keys: [TokenKey]

    package init(_ keys: [TokenKey] = []) { self.keys = keys }

    /// A JWK Set (RFC 7517, section 5); nil when it is none, or none of its keys is of use here.
    package init?(keySet: JSON) {
        guard let items = keySet["keys"]?.arrayValue, items.count <= Self.most else { return nil }
        keys = items.compactMap { TokenKey(jwk: $0) }
        if keys.isEmpty { return nil }
    }

    package static func + (some: TokenKeys, others: TokenKeys) -> TokenKeys { TokenKeys(some.keys + others.keys) }

    /// Whether there is a key that this token may be signed with: the one it names or, where it names none, any of its
    /// algorithm. A secret has no name, and takes tokens that name any.
    package func know(_ token: JSONWebToken) -> Bool { keys.contains { Self.fits($0, token) } }

    package func verify(_ token: JSONWebToken) -> Bool {
        keys.contains { Self.fits($0, token) && token.isSigned(with: $0) }
    }

    private static func fits(_ key: TokenKey, _ token: JSONWebToken) -> Bool {
        guard key.algorithm == token.algorithm else { return false }
        switch key.material {
        case .secret: return true
        case .publicKey: return token.keyID == nil || token.keyID == key.id
        }
    }
}
