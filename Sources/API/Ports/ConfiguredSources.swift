internal import Adapters
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

    /// The hooks of this name, of this app or of all.
    func hooks(of source: String, app: String?) -> [Hook] {
        byApp.withLock { byApp in
            byApp.compactMap { name, sources in
                app == nil || app == name ? sources[source].flatMap { Hook(app: name, $0) } : nil
            }
        }
    }
}

/// A source that takes a platform's webhooks as they are, and the app they are for.
package struct Hook: Sendable {
    package let app: String
    let adapter: Adapter
    let secrets: [String]
    let address: String?

    init(app: String, adapter: Adapter, settings: SourceSettings = SourceSettings()) {
        self.app = app
        self.adapter = adapter
        secrets = settings.platformSecrets
        address = settings.address
    }

    /// nil: the source takes none.
    package init?(app: String, _ settings: SourceSettings) {
        guard let adapter = settings.adapter else { return nil }
        self.init(app: app, adapter: adapter, settings: settings)
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
