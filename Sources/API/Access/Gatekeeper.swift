/// Decides whether a request may use a route, and on behalf of which app.
struct Gatekeeper: Sendable {
    let keys: any AccessPort

    /// Throws 401 without a valid key, 403 when its role or apps do not allow this.
    func caller(
        authorization: String?,
        app: String?,
        roles: Set<Role>
    ) async throws(Problem) -> Caller {
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

    static func bearer(_ header: String?) -> String? {
        guard let header else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
