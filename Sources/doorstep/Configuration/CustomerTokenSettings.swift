internal import API
private import JSONText
internal import WebTokens

/// Which tokens of an app's own sign-in are believed.
struct CustomerTokenSettings: Hashable, Sendable {
    /// Where the issuer's public keys are.
    enum KeySet: Hashable, Sendable {
        case file(String)
        case address(WebAddress)
    }

    var rules: TokenRules
    var keySet: KeySet?
    /// The file of the secret that tokens are signed with (HS256).
    var secretFile: String?
}

/// An `http` or `https` URL, split where a client wants it.
struct WebAddress: Hashable, Sendable {
    let base: String
    let path: String

    /// nil unless it is `https`, or `http` to this machine itself: who changes keys on their way is every customer.
    init?(_ url: String) {
        guard let scheme = ["https://", "http://"].first(where: { url.hasPrefix($0) }),
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        let rest = url.dropFirst(scheme.count)
        let host = rest.prefix { !"/?#".contains($0) }
        let after = rest.dropFirst(host.count)
        guard !host.isEmpty, !host.contains("@"), !after.contains("#") else { return nil }
        if scheme == "http://" {
            let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
            guard ["127.0.0.1", "localhost", "[::1]"].contains(String(name)) else { return nil }
        }
        base = scheme + host
        path = after.hasPrefix("/") ? String(after) : "/" + after
    }
}

extension CustomerTokenSettings {
    /// RFC 7518, section 3.2: a shorter secret than the digest is guessed offline.
    private static let shortestSecret = 32

    init(_ fields: inout ConfigurationFields, path: (String) -> String) {
        let skew = fields.integer("clockSkew", in: 0...600) ?? 60
        rules = TokenRules(
            issuer: fields.needed("issuer"),
            audience: fields.needed("audience"),
            clockSkew: Int64(skew)
        )
        secretFile = fields.text("secretFile").map(path)
        if let text = fields.text("keySet") {
            if text.contains("://") {
                keySet = WebAddress(text).map { .address($0) }
                if keySet == nil { fields.complain("keySet", "must be a file or an https URL; http to loopback only") }
            } else {
                keySet = .file(path(text))
            }
        }
        if !fields.has("keySet"), !fields.has("secretFile") {
            fields.complain("keySet", "or secretFile is needed")
        }
    }

    /// The keys that files have, and what is wrong with those files.
    func readKeys() -> (keys: TokenKeys, problems: [String]) {
        var keys = TokenKeys()
        var problems: [String] = []
        do throws(FileError) {
            if case .file(let file) = keySet {
                if let read = TokenKeys(document: try Files.read(file)) {
                    keys = keys + read
                } else {
                    problems.append("\(file) is no JWK Set with a key for ES256, RS256 or EdDSA")
                }
            }
        } catch {
            problems.append("\(error)")
        }
        do throws(FileError) {
            if let secretFile {
                var secret = try Files.read(secretFile)
                while let last = secret.last, last == 0x0A || last == 0x0D { secret.removeLast() }
                if secret.count < Self.shortestSecret {
                    problems.append("\(secretFile) must hold a secret of at least \(Self.shortestSecret) bytes")
                }
                keys = keys + TokenKeys([TokenKey(secret: secret)])
            }
        } catch {
            problems.append("\(error)")
        }
        return (keys, problems)
    }
}

extension TokenKeys {
    /// A JWK Set as a file or server has it.
    init?(document: [UInt8]) {
        guard let json = try? JSON.parse(document), let keys = TokenKeys(keySet: json) else { return nil }
        self = keys
    }
}

extension Configuration {
    /// The issuers of the apps that have one, once their files were checked.
    var tokenIssuers: [(app: String, issuer: CustomerTokens.Issuer)] {
        apps.compactMap { app in
            guard let settings = app.customerTokens else { return nil }
            var keySet: String?
            if case .address(let address) = settings.keySet { keySet = address.base + address.path }
            return (app.id, .init(rules: settings.rules, keys: settings.readKeys().keys, keySet: keySet))
        }
    }

    var keySetAddresses: [String: WebAddress] {
        apps.reduce(into: [:]) { addresses, app in
            if case .address(let address) = app.customerTokens?.keySet { addresses[app.id] = address }
        }
    }
}
