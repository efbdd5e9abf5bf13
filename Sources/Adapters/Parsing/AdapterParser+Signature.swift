internal import JSONText

extension AdapterParser {
    private enum Scheme: String, CaseIterable {
        case hmac, jwt, header, basic, none
    }

    mutating func signature(_ json: JSON?, at pointer: String) -> Signature? {
        guard let scheme = json?["scheme"]?.stringValue.flatMap({ Scheme(rawValue: $0) }) else {
            let words = Scheme.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            complain(pointer + "/scheme", "must be one of \(words)")
            return nil
        }
        switch scheme {
        case .hmac: return hmac(json, at: pointer).map { .hmac($0) }
        case .jwt:
            let object = object(json, at: pointer, only: ["scheme", "member"])
            return object.flatMap { text($0["member"], at: pointer + "/member") }.map { .jwt(member: $0) }
        case .header:
            let object = object(json, at: pointer, only: ["scheme", "header"])
            return object.flatMap { headerName($0["header"], at: pointer + "/header") }.map { .header($0) }
        case .basic: return object(json, at: pointer, only: ["scheme"]).map { _ in .basic }
        case .none: return object(json, at: pointer, only: ["scheme"]).map { _ in Signature.none }
        }
    }

    private mutating func hmac(_ json: JSON?, at pointer: String) -> HMACScheme? {
        let names = ["scheme", "header", "prefix", "algorithm", "encoding", "secret", "message"]
        guard let object = object(json, at: pointer, only: names) else { return nil }
        let header = headerName(object["header"], at: pointer + "/header")
        let prefix = object["prefix"].map { text($0, at: pointer + "/prefix") ?? "" } ?? ""
        let algorithm = choice(object["algorithm"], at: pointer + "/algorithm", standard: HMACScheme.Algorithm.sha256)
        let encoding = choice(object["encoding"], at: pointer + "/encoding", standard: HMACScheme.Encoding.hex)
        let secret = choice(object["secret"], at: pointer + "/secret", standard: HMACScheme.SecretForm.text)
        let message = message(object["message"] ?? ["body"], at: pointer + "/message")
        guard let header else { return nil }
        return HMACScheme(
            header: header,
            prefix: prefix,
            algorithm: algorithm,
            encoding: encoding,
            secret: secret,
            message: message
        )
    }

    private mutating func message(_ json: JSON, at pointer: String) -> [HMACScheme.Part] {
        let listed = json.arrayValue ?? []
        let parts = listed.compactMap(Self.part)
        if parts.count < listed.count || !parts.contains(.body) {
            complain(
                pointer,
                "must list \"body\" and what else is signed: \"url\", \"header:NAME\", {\"text\": \"as it is\"}"
            )
        }
        return parts
    }

    private static func part(_ json: JSON) -> HMACScheme.Part? {
        if let object = json.objectValue {
            return object.members.count == 1 ? object["text"]?.stringValue.map { .text($0) } : nil
        }
        switch json.stringValue {
        case "body": return .body
        case "url": return .url
        case let text?:
            let name = text.dropFirst("header:".count)
            return text.hasPrefix("header:") && isHeaderName(name) ? .header(String(name)) : nil
        case nil: return nil
        }
    }

    private mutating func headerName(_ json: JSON?, at pointer: String) -> String? {
        guard let name = text(json, at: pointer) else { return nil }
        guard Self.isHeaderName(name) else {
            complain(pointer, "must be the name of a header")
            return nil
        }
        return name
    }

    /// Letters, digits and hyphens: as all headers of webhooks are named.
    private static func isHeaderName(_ name: some StringProtocol) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            }
    }
}
