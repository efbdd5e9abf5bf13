private import Crypto

/// The sealed push token inside a registration's body.
package enum SealedTokenCodec {
    /// nil when the body has none.
    package static func token(_ body: [UInt8]) throws(FactError) -> [UInt8]? {
        guard let text = try Members(parsing: body).optionalText("token") else { return nil }
        guard let sealed = Base64.decode(text) else { throw FactError(.badValue, "token") }
        return sealed
    }
}
