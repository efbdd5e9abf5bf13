package import JSONText

/// What a token's payload must say (RFC 7519, section 4.1).
package struct TokenRules: Hashable, Sendable {
    package var issuer: String
    package var audience: String
    /// Seconds that the issuer's clock may be off.
    package var clockSkew: Int64

    package init(issuer: String, audience: String, clockSkew: Int64 = 60) {
        self.issuer = issuer
        self.audience = audience
        self.clockSkew = clockSkew
    }

    /// Whether the token is of this issuer and for this audience: whose keys may verify it.
    package func concern(_ claims: JSON) -> Bool {
        guard claims["iss"] == .string(issuer), let audience = claims["aud"] else { return false }
        if let list = audience.arrayValue {
            return list.allSatisfy { $0.stringValue != nil } && list.contains(.string(self.audience))
        }
        return audience == .string(self.audience)
    }

    /// The subject of a verified token; `now` in seconds since 1970 UTC.
    package func subject(of claims: JSON, at now: Int64) throws(TokenRefusal) -> String {
        guard concern(claims) else { throw .notForUs }
        guard let end = claims["exp"]?.doubleValue else { throw .endless }
        let now = Double(now)
        let skew = Double(clockSkew)
        guard now < end + skew else { throw .expired }
        for name in ["nbf", "iat"] {
            guard let claim = claims[name] else { continue }
            guard let begin = claim.doubleValue, begin <= now + skew else { throw .tooEarly }
        }
        guard let subject = claims["sub"]?.stringValue, (1...255).contains(subject.utf8.count),
            !subject.utf8.contains(0)
        else { throw .noSubject }
        return subject
    }
}

/// Why a token is not taken.
package enum TokenRefusal: Error, Hashable, Sendable, CaseIterable {
    /// No token at all, or no issuer's signature.
    case unverified
    /// Of another issuer, or for another audience.
    case notForUs
    /// Without `exp`.
    case endless
    case expired
    /// `nbf` or `iat` lie ahead.
    case tooEarly
    /// `sub` is missing, empty or too long.
    case noSubject
}
