internal import Crypto
internal import HTTPServer

/// The signature of one delivery: HMAC-SHA256 over its id, the time of this attempt and the bytes of the body as they came
/// (Standard Webhooks 1.0; field case D25).
struct WebhookSignature {
    private static let header = "webhook-signature"
    /// Seconds that the sender's clock may be off, as the standard advises.
    private static let tolerance: Int64 = 300

    private let id: String
    private let timestamp: String
    private let seconds: Int64
    /// Several while a secret is rotated.
    private let signatures: [[UInt8]]

    /// Whether a request is signed instead of bearing a key.
    static func stands(in headers: HTTPHeaders) -> Bool {
        headers.first("authorization") == nil && headers.first(header) != nil
    }

    /// nil when a part is missing or malformed.
    init?(_ headers: HTTPHeaders) {
        guard let id = headers.first("webhook-id"), !id.isEmpty, let timestamp = headers.first("webhook-timestamp"),
            let seconds = Int64(timestamp), let list = headers.first(Self.header)
        else { return nil }
        self.id = id
        self.timestamp = timestamp
        self.seconds = seconds
        signatures = list.split(separator: " ").compactMap { entry in
            // Other versions are for other keys; who signs with several also signs with this one.
            entry.hasPrefix("v1,") ? Base64.decode(entry.dropFirst("v1,".count)) : nil
        }
    }

    func isFresh(at now: Int64) -> Bool {
        let now = now / 1_000_000
        return (now - Self.tolerance...now + Self.tolerance).contains(seconds)
    }

    func isMade(of body: [UInt8], with secrets: [WebhookSecret]) -> Bool {
        let message = Array("\(id).\(timestamp).".utf8) + body
        return secrets.contains { secret in
            let expected = secret.signature(of: message)
            return signatures.contains { constantTimeEqual($0, expected) }
        }
    }
}
