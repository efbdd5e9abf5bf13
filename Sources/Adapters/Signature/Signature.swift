private import Crypto
internal import JSONText
private import WebTokens

/// How a webhook proves where it comes from.
enum Signature: Hashable, Sendable {
    case hmac(HMACScheme)
    /// The body has a member with a JWT signed with HS256 (RFC 7515), whose payload is the webhook.
    case jwt(member: String)
    /// A header has the secret itself.
    case header(String)
    /// HTTP Basic authentication (RFC 7617); the secret is `user:password`.
    case basic
    case none

    var needsSecret: Bool { self != .none }

    func isValid(_ request: HookRequest, secrets: [String]) -> Bool {
        // An empty secret would be everybody's.
        let secrets = secrets.filter { !$0.isEmpty }
        switch self {
        case .none: return true
        case .hmac(let scheme): return scheme.isValid(request, secrets: secrets)
        case .jwt(let member):
            guard let token = token(member, in: request.body) else { return false }
            return secrets.contains { token.isSigned(with: TokenKey(secret: Array($0.utf8))) }
        case .header(let name):
            guard let value = request.header(name) else { return false }
            return Self.isEqual(Array(value.utf8), toOneOf: secrets)
        case .basic:
            guard let value = request.header("authorization"), value.prefix(6).lowercased() == "basic ",
                let credentials = Base64.decode(value.dropFirst(6).drop { $0 == " " })
            else { return false }
            return Self.isEqual(credentials, toOneOf: secrets)
        }
    }

    /// The webhook itself; for a token its payload.
    func document(of body: [UInt8]) throws(AdapterError) -> JSON {
        guard case .jwt(let member) = self else { return try Self.parse(body, "the body") }
        guard let text = try Self.parse(body, "the body")[member]?.stringValue else {
            let detail = "missing, or no text"
            throw AdapterError(code: .badBody, problems: [.init(pointer: pointer(member), detail: detail)])
        }
        guard let token = JSONWebToken(text), token.algorithm == "HS256" else {
            let detail = "no JWT signed with HS256"
            throw AdapterError(code: .badBody, problems: [.init(pointer: pointer(member), detail: detail)])
        }
        return try Self.parse(token.payload, "the token's payload")
    }

    private func token(_ member: String, in body: [UInt8]) -> JSONWebToken? {
        (try? JSON.parse(body))?[member]?.stringValue.flatMap { JSONWebToken($0) }
    }

    private static func parse(_ bytes: [UInt8], _ name: String) throws(AdapterError) -> JSON {
        do throws(JSONError) {
            return try JSON.parse(bytes)
        } catch {
            let detail = "\(name) cannot be read as JSON: \(error)"
            throw AdapterError(code: .badBody, problems: [.init(pointer: "", detail: detail)])
        }
    }

    /// Compares digests, so that not even a secret's length can be timed.
    private static func isEqual(_ value: [UInt8], toOneOf secrets: [String]) -> Bool {
        let digest = SHA256.digest(value)
        return secrets.reduce(false) { found, secret in
            constantTimeEqual(digest, SHA256.digest(Array(secret.utf8))) || found
        }
    }
}
