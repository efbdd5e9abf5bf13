internal import Runtime

/// What is configured for the sources of all apps; replaced when the configuration is read again.
package final class ConfiguredSources: Sendable {
    private let byApp: Locked<[String: [String: SourceSettings]]>

    /// By app and name.
    package init(_ byApp: [String: [String: SourceSettings]] = [:]) { self.byApp = Locked(byApp) }

    package func replace(_ byApp: [String: [String: SourceSettings]]) { self.byApp.withLock { $0 = byApp } }

    subscript(app: String, name: String) -> SourceSettings? { byApp.withLock { $0[app]?[name] } }

    /// The apps, this one or all, that have secrets of a source of this name.
    func signers(of source: String, app: String?) -> [Signer] {
        byApp.withLock { byApp in
            byApp.compactMap { name, sources in
                guard app == nil || app == name, let secrets = sources[source]?.secrets, !secrets.isEmpty else {
                    return nil
                }
                return Signer(app: name, secrets: secrets)
            }
        }
    }
}

/// A source that may sign instead of bearing a key, and the app it does so for.
package struct Signer: Hashable, Sendable {
    package let app: String
    package let secrets: [WebhookSecret]

    package init(app: String, secrets: [WebhookSecret]) {
        self.app = app
        self.secrets = secrets
    }
}
