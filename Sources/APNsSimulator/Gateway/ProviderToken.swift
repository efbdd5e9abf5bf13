private import Crypto
private import JSONText

/// A provider token (JWT) taken apart; whether it may be believed is `ProviderKeys`' business.
struct ProviderToken: Sendable {
    let keyID: String
    let team: String
    /// Unix seconds.
    let issuedAt: Int64
    /// What stands before the second dot: the signed bytes.
    let signed: [UInt8]
    let signature: [UInt8]
    /// Forms that APNs tolerates and a sender should not use (contract 1.5.5, 1.5.6).
    let isLax: Bool

    /// Reads the value of an `authorization` header; nil when it is not a bearer JWT with the members APNs needs.
    init?(authorization: String) {
        guard authorization.lowercased().hasPrefix("bearer ") else { return nil }
        let parts = authorization.dropFirst(7).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2]),
            let keyID = header["kid"]?.stringValue, let team = claims["iss"]?.stringValue,
            let issued = claims["iat"], let issuedAt = issued.int64Value ?? issued.stringValue.flatMap({ Int64($0) })
        else { return nil }
        let algorithm = header["alg"]
        guard algorithm == nil || algorithm?.stringValue == "ES256" else { return nil }
        self.keyID = keyID
        self.team = team
        self.issuedAt = issuedAt
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
        isLax = algorithm == nil || issued.stringValue != nil || signature.count != 64
    }

    private static func object(_ part: Substring) -> JSONObject? {
        guard let bytes = Base64URL.decode(part), let value = try? JSON.parse(bytes) else { return nil }
        return value.objectValue
    }
}
