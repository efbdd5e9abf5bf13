internal import Tracking
internal import WebTokens

/// Decides whether a request may use a route, and on behalf of which app.
struct Gatekeeper: Sendable {
    let keys: any AccessPort

    /// Throws 401 without a valid key or token, 403 when its role or apps do not allow this; `now` in microseconds.
    func caller(
        authorization: String?,
        app: String?,
        roles: Set<Role>,
        at now: Int64
    ) async throws(Problem) -> Caller {
        if let token = Self.bearer(authorization), !token.hasPrefix("dk_"), token.contains(".") {
            return try await customer(bearing: token, app: app, roles: roles, at: now)
        }
        guard let text = Self.bearer(authorization).flatMap(AccessKey.Text.init) else {
            throw Problem(.unauthenticated, "Send a key as Authorization: Bearer dk_….")
        }
        let key: AccessKey?
        do throws(Unavailable) {
            key = try await keys.key(id: text.id)
        } catch {
            throw Problem(error)
        }
        guard let key, key.matches(text) else { throw Problem(.unauthenticated, "The key is unknown or revoked.") }
        guard roles.contains(key.role) else {
            throw Problem(.forbidden, "The role \(key.role.rawValue) may not do this.")
        }
        guard let app = app ?? key.apps.first, key.apps.contains(app) else {
            throw Problem(.forbidden, "The key is not valid for this app.")
        }
        return Caller(key: key, app: app)
    }

    private func customer(
        bearing token: String,
        app: String?,
        roles: Set<Role>,
        at now: Int64
    ) async throws(Problem) -> Caller {
        switch await keys.customer(bearing: token, app: app, at: now) {
        case .unavailable: throw Problem(Unavailable(.overloaded))
        case .refused(let refusal): throw Problem(.unauthenticated, refusal.detail)
        case .customer(let customer, let app):
            guard roles.contains(.device) else { throw Problem(.forbidden, "A customer's token may not do this.") }
            return Caller(customer: CustomerID(customer), app: app)
        }
    }

    static func bearer(_ header: String?) -> String? {
        guard let header else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}

extension TokenRefusal {
    /// What the app's makers can do something about; more would help those who guess.
    fileprivate var detail: String {
        switch self {
        case .unverified, .notForUs: "The token is of no issuer that is known here."
        case .endless: "The token has no exp."
        case .expired: "The token is expired; bring a new one."
        case .tooEarly: "The token is not valid yet, by its nbf or iat."
        case .noSubject: "The token has no sub of 1 to 255 bytes."
        }
    }
}
