private import Crypto

/// The sealed push tokens inside a registration's body.
package enum SealedTokenCodec {
    /// A card's update token or a device's start token; nil when the body has none.
    package static func token(_ body: [UInt8]) throws(FactError) -> [UInt8]? { try member("token", body) }

    /// A device's ordinary token; nil when the body has none.
    package static func deviceToken(_ body: [UInt8]) throws(FactError) -> [UInt8]? { try member("deviceToken", body) }

    private static func member(_ name: String, _ body: [UInt8]) throws(FactError) -> [UInt8]? {
        guard let text = try Members(parsing: body).optionalText(name) else { return nil }
        guard let sealed = Base64.decode(text) else { throw FactError(.badValue, name) }
        return sealed
    }
}
