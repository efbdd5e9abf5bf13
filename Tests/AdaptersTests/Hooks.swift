import Adapters
import Crypto
import Foundation
import JSONText
import TestSupport
import Testing

/// What the platforms' webhooks look like, and how they sign them.
enum Hooks {
    static let platforms = [
        "deliveroo", "doordash-drive", "onfleet", "shipday", "square", "uber-direct", "wolt-drive",
    ]

    static func adapter(_ platform: String) throws -> Adapter {
        try #require(Adapter.builtIn.first { $0.name == platform })
    }

    /// The webhooks of one delivery, in order. Those of Wolt Drive are payloads, not yet in a token.
    static func delivery(_ platform: String) throws -> [JSON] {
        let folder = SharedData.fixture("hooks/\(platform)")
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
            try JSON.parse(Array(Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
        }
    }

    /// A secret as the platform shows it.
    static func secret(_ platform: String) -> String {
        switch platform {
        case "onfleet": "00ff7f3a90"
        case "doordash-drive": "doordash:öffne dich"
        default: "correct horse \(platform)"
        }
    }

    static let url = "https://orders.example.org/v1/hooks/kitchen"

    /// The request a platform sends.
    static func request(_ platform: String, _ hook: JSON, secret: String? = nil) -> HookRequest {
        let body = platform == "wolt-drive" ? token(hook, secret ?? self.secret(platform)) : hook.serialized()
        return request(platform, body: body, secret: secret)
    }

    static func request(_ platform: String, body: [UInt8], secret: String? = nil) -> HookRequest {
        let headers = headers(platform, body, secret ?? self.secret(platform))
        return HookRequest(method: "POST", url: url, headers: headers, body: body)
    }

    static func token(_ payload: JSON, _ secret: String, header: String = #"{"alg":"HS256","typ":"JWT"}"#) -> [UInt8] {
        let signed = "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(payload.serialized()))"
        let signature = hmacSHA256(key: Array(secret.utf8), message: Array(signed.utf8))
        return JSON.object(["token": .string("\(signed).\(Base64URL.encode(signature))")]).serialized()
    }

    private static func headers(_ platform: String, _ body: [UInt8], _ secret: String) -> [(String, String)] {
        let key = Array(secret.utf8)
        switch platform {
        case "uber-direct": return [("X-Uber-Signature", Hex.encode(hmacSHA256(key: key, message: body)))]
        case "onfleet":
            let key = Hex.decode(secret) ?? []
            return [("x-onfleet-signature", Hex.encode(hmacSHA512(key: key, message: body)))]
        case "deliveroo":
            let signature = Hex.encode(hmacSHA256(key: key, message: Array("1499765769 ".utf8) + body))
            return [("X-Deliveroo-Sequence-Guid", "1499765769"), ("X-Deliveroo-Hmac-Sha256", signature)]
        case "square":
            let signature = Base64.encode(hmacSHA256(key: key, message: Array(url.utf8) + body))
            return [("X-Square-HmacSha256-Signature", signature)]
        case "shipday": return [("Token", secret)]
        case "doordash-drive": return [("Authorization", "Basic \(Base64.encode(key))")]
        default: return []
        }
    }

    static func events(_ platform: String, _ hook: JSON) throws -> [JSONObject] {
        try adapter(platform).events(from: request(platform, hook), source: platform)
    }
}

extension JSON {
    /// This value with another at a path of members and, as numbers, elements.
    func with(_ value: JSON?, at path: String) -> JSON {
        with(value, at: path.split(separator: ".").map(String.init)[...])
    }

    private func with(_ value: JSON?, at path: ArraySlice<String>) -> JSON {
        guard let step = path.first else { return value ?? .null }
        if var elements = arrayValue, let index = Int(step), elements.indices.contains(index) {
            elements[index] = elements[index].with(value, at: path.dropFirst())
            return .array(elements)
        }
        var object = objectValue ?? JSONObject()
        object[step] = path.count == 1 ? value : (object[step] ?? [:]).with(value, at: path.dropFirst())
        return .object(object)
    }
}

extension JSONObject {
    func text(_ name: String) -> String? { self[name]?.stringValue }
    var data: JSON? { self["data"] }
}

/// Files of the repository, by their path in it.
enum Repository {
    private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: URL(filePath: "\(root)/\(path)"), encoding: .utf8)
    }
}
