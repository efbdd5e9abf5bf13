private import Crypto
package import Tracking

/// What a key may do. One role per key; the matrix of roles and routes is `AccessMatrix`.
package enum Role: String, Hashable, Sendable, CaseIterable {
    /// Partners: events and hooks.
    case ingest
    /// The app or its backend: devices, cards, reports, the customer's view.
    case device
    /// Staff: search, timeline, notes.
    case support
    /// Support, and personal data, raw bodies, corrections.
    case supervisor
    /// Readers of the whole log.
    case feed
    /// Metrics, parked orders, quarantine.
    case `operator`
}

/// A key as it is stored: never its secret, only a digest of it.
package struct AccessKey: Hashable, Sendable {
    package let id: String
    package let role: Role
    /// SHA-256 of the secret part.
    package let secretDigest: [UInt8]
    /// Names of the apps it is valid for; the first is meant when a request names none.
    package let apps: [String]
    /// Names of the sources it may post for; nil: all of its apps.
    package let sources: Set<String>?

    package init(id: String, role: Role, secretDigest: [UInt8], apps: [String], sources: Set<String>? = nil) {
        self.id = id
        self.role = role
        self.secretDigest = secretDigest
        self.apps = apps
        self.sources = sources
    }
}

/// Who makes a request, once the key or token was checked, and for which app.
package struct Caller: Hashable, Sendable {
    package let key: AccessKey
    /// One of the key's apps.
    package let app: String
    /// One customer, signed in to the app: the role `device` narrowed to what is theirs.
    package let customer: CustomerID?

    package var role: Role { key.role }
    /// For the log and the audit: names the key, not its secret.
    package var actor: String { "key:\(key.id)" }

    package init(key: AccessKey, app: String) {
        self.key = key
        self.app = app
        customer = nil
    }

    /// A customer who proved to be one. Logs and allowances tell customers apart by a digest, as an id may be a name.
    package init(customer: CustomerID, app: String) {
        let digest = Hex.encode(Array(SHA256.digest(Array("\(app)\0\(customer.value)".utf8)).prefix(8)))
        key = AccessKey(id: "customer/\(digest)", role: .device, secretDigest: [], apps: [app], sources: [])
        self.app = app
        self.customer = customer
    }
}
