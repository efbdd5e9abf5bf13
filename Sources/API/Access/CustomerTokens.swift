internal import JSONText
internal import Runtime
package import WebTokens

/// Judges the tokens that apps' own users bring: one issuer for each app.
package final class CustomerTokens: Sendable {
    /// The issuer of one app.
    package struct Issuer: Sendable {
        package var rules: TokenRules
        /// Keys that are known from the start.
        package var keys: TokenKeys
        /// Keys that were fetched; nil: none were yet.
        package var fetched: TokenKeys?
        /// Where keys are fetched from; nil: none are.
        package var keySet: String?

        package init(rules: TokenRules, keys: TokenKeys, keySet: String? = nil) {
            self.rules = rules
            self.keys = keys
            self.keySet = keySet
        }

        func know(_ token: JSONWebToken) -> Bool { keys.know(token) || fetched?.know(token) ?? false }
        func verify(_ token: JSONWebToken) -> Bool { keys.verify(token) || fetched?.verify(token) ?? false }
    }

    package enum Verdict: Hashable, Sendable {
        case customer(String, app: String)
        case refused(TokenRefusal)
        /// Its keys could not be fetched yet.
        case unavailable
    }

    /// Longer ones are not looked at.
    private static let longest = 8_192

    private let issuers = Locked<[(app: String, issuer: Issuer)]>([])

    package init() {}

    /// Takes over a configuration; keys that were fetched stay where issuer and address are the same.
    package func replace(_ configured: [(app: String, issuer: Issuer)]) {
        issuers.withLock { issuers in
            let known = issuers
            issuers = configured.map { app, issuer in
                var issuer = issuer
                let before = known.first { $0.app == app }?.issuer
                if before?.rules.issuer == issuer.rules.issuer, before?.keySet == issuer.keySet {
                    issuer.fetched = before?.fetched
                }
                return (app, issuer)
            }
        }
    }

    package func take(_ keys: TokenKeys, of app: String) {
        issuers.withLock { issuers in
            guard let index = issuers.firstIndex(where: { $0.app == app }) else { return }
            issuers[index].issuer.fetched = keys
        }
    }

    /// Who brings this token: for the named app or, nil, the first one whose issuer and audience it has. `now` is in
    /// microseconds since 1970 UTC. `refresh` fetches an app's keys again, and waits; called where a token names a key that is
    /// not known.
    package func judge(
        _ text: String,
        app: String?,
        at now: Int64,
        refresh: @Sendable (String) async -> Void
    ) async -> Verdict {
        guard text.utf8.count <= Self.longest, let token = JSONWebToken(text),
            let claims = try? JSON.parse(token.payload, nul: .allowed)
        else { return .refused(.unverified) }
        guard var found = find(claims, app) else { return .refused(.notForUs) }
        if !found.issuer.know(token), found.issuer.keySet != nil {
            await refresh(found.app)
            found = find(claims, app) ?? found
            if found.issuer.fetched == nil { return .unavailable }
        }
        guard found.issuer.verify(token) else { return .refused(.unverified) }
        do throws(TokenRefusal) {
            return .customer(try found.issuer.rules.subject(of: claims, at: now / 1_000_000), app: found.app)
        } catch {
            return .refused(error)
        }
    }

    private func find(_ claims: JSON, _ app: String?) -> (app: String, issuer: Issuer)? {
        issuers.withLock { issuers in
            issuers.first { ($0.app == app || app == nil) && $0.issuer.rules.concern(claims) }
        }
    }
}
