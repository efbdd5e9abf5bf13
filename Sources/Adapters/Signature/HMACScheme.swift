private import Crypto

/// A header with an HMAC over parts of the request.
struct HMACScheme: Hashable, Sendable {
    enum Algorithm: String, CaseIterable, Sendable {
        case sha256
        case sha512
    }

    /// How the header writes the bytes.
    enum Encoding: String, CaseIterable, Sendable {
        case hex
        case base64
    }

    /// How the secret is written where the platform shows it.
    enum SecretForm: String, CaseIterable, Sendable {
        case text
        case hex
    }

    enum Part: Hashable, Sendable {
        case body
        case url
        case header(String)
        case text(String)
    }

    let header: String
    /// What stands before the signature in the header.
    let prefix: String
    let algorithm: Algorithm
    let encoding: Encoding
    let secret: SecretForm
    /// What is signed, in this order.
    let message: [Part]

    func isValid(_ request: HookRequest, secrets: [String]) -> Bool {
        guard let value = request.header(header), let signature = decoded(value), let message = message(of: request)
        else { return false }
        return secrets.reduce(false) { found, secret in
            guard let key = key(secret) else { return found }
            return constantTimeEqual(signature, code(key: key, message: message)) || found
        }
    }

    private func decoded(_ value: String) -> [UInt8]? {
        guard value.hasPrefix(prefix) else { return nil }
        let signature = value.dropFirst(prefix.count)
        switch encoding {
        case .hex: return Hex.decode(signature)
        case .base64: return Base64.decode(signature)
        }
    }

    private func key(_ secret: String) -> [UInt8]? {
        switch self.secret {
        case .text: Array(secret.utf8)
        case .hex: Hex.decode(secret)
        }
    }

    private func code(key: [UInt8], message: [UInt8]) -> [UInt8] {
        switch algorithm {
        case .sha256: hmacSHA256(key: key, message: message)
        case .sha512: hmacSHA512(key: key, message: message)
        }
    }

    /// The received bytes, never anything written anew (field case D25); nil when a signed header is missing.
    private func message(of request: HookRequest) -> [UInt8]? {
        var bytes: [UInt8] = []
        for part in message {
            switch part {
            case .body: bytes += request.body
            case .url: bytes += request.url.utf8
            case .text(let text): bytes += text.utf8
            case .header(let name):
                guard let value = request.header(name) else { return nil }
                bytes += value.utf8
            }
        }
        return bytes
    }
}
