internal import Crypto

/// What a source signs its deliveries with, as Standard Webhooks 1.0 has it.
package struct WebhookSecret: Hashable, Sendable {
    /// How such a secret is written, for those who configure one.
    package static let form = "`whsec_` and 24 to 64 bytes in base 64"
    private static let prefix = "whsec_"

    private let key: [UInt8]

    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), let key = Base64.decode(text.dropFirst(Self.prefix.count)),
            (24...64).contains(key.count)
        else { return nil }
        self.key = key
    }

    func signature(of message: [UInt8]) -> [UInt8] { hmacSHA256(key: key, message: message) }
}

extension WebhookSecret: CustomStringConvertible {
    package var description: String { "whsec_…" }
}
