internal import Crypto

extension AccessKey {
    /// The key a caller sends: `dk_ROLE_ID_SECRET`.
    package struct Text: Sendable {
        package let role: Role
        package let id: String
        package let secret: String

        /// nil when the text does not have these four parts. The id has no underscore, the secret may.
        package init?(_ text: String) {
            let parts = text.split(separator: "_", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[0] == "dk", let role = Role(rawValue: String(parts[1])), !parts[2].isEmpty,
                !parts[3].isEmpty, text.utf8.count <= 255, !text.hasNul
            else { return nil }
            self.role = role
            id = String(parts[2])
            secret = String(parts[3])
        }

        /// A new key with a random id (8 bytes) and secret (32 bytes).
        package init(newFor role: Role) {
            self.role = role
            id = Hex.encode(SecureRandom.bytes(8))
            secret = Base64URL.encode(SecureRandom.bytes(32))
        }

        /// What the caller keeps; shown once.
        package var text: String { "dk_\(role.rawValue)_\(id)_\(secret)" }

        /// What is stored. A plain digest suffices, since the secret is random and long.
        package var secretDigest: [UInt8] { SHA256.digest(Array(secret.utf8)) }
    }

    /// Whether this stored key is the one the text names; the secret is compared in constant time.
    package func matches(_ text: Text) -> Bool {
        id == text.id && role == text.role && constantTimeEqual(secretDigest, text.secretDigest)
    }
}
