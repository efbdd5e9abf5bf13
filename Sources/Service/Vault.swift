package import Crypto

/// Seals push tokens before they reach the database: AES-256-GCM under the installation's master key.
package struct Vault: Sendable {
    /// Names the key in rows; rotation adds a number.
    package let keyID: Int32
    private let key: [UInt8]

    /// `key` has 32 bytes.
    package init(key: [UInt8], keyID: Int32 = 1) {
        self.key = key
        self.keyID = keyID
    }

    /// `purpose` binds the sealed bytes to their place: a token copied into another row does not open.
    package func seal(_ secret: String, purpose: String) throws(CryptoError) -> [UInt8] {
        try seal(Array(secret.utf8), purpose: purpose)
    }

    package func seal(_ secret: [UInt8], purpose: String) throws(CryptoError) -> [UInt8] {
        try AES256GCM.seal(key: key, plaintext: secret, associated: Array(purpose.utf8))
    }

    /// Names a secret without telling it: equal for equal secrets under one key.
    package func hash(_ secret: String) -> [UInt8] {
        hmacSHA256(key: hmacSHA256(key: key, message: Array("token".utf8)), message: Array(secret.utf8))
    }

    package func open(_ sealed: [UInt8], purpose: String) throws(CryptoError) -> String {
        String(decoding: try AES256GCM.open(key: key, sealed: sealed, associated: Array(purpose.utf8)), as: UTF8.self)
    }
}
