package import PostgresStore
internal import Runtime
package import Tracking

/// The apps and sources of this installation, by number and by name, as every process last read them.
package final class Directory: Sendable {
    package struct App: Sendable {
        package var number: Int32
        package var name: String
        package var bundleID: String
        package var environment: APNsEnvironment
        /// The version in force, as this process last read it.
        package var policy: Policy
        /// All versions that were ever activated, in any order.
        package var editions: [PolicyEdition] = []

        package init(
            number: Int32,
            name: String,
            bundleID: String,
            environment: APNsEnvironment,
            policy: Policy
        ) {
            self.number = number
            self.name = name
            self.bundleID = bundleID
            self.environment = environment
            self.policy = policy
        }
    }

    package struct Source: Hashable, Sendable {
        package var number: Int32
        package var app: Int32
        package var name: String

        package init(number: Int32, app: Int32, name: String) {
            self.number = number
            self.app = app
            self.name = name
        }

        /// One of Doorstep's own, not a partner's.
        package var isOwn: Bool { name.hasPrefix(OwnSource.prefix) }
    }

    private struct Content {
        var apps: [Int32: App] = [:]
        var appsByName: [String: Int32] = [:]
        var sources: [Int32: Source] = [:]
        var sourcesByName: [Int32: [String: Int32]] = [:]
    }

    private let content = Locked(Content())

    package init() {}

    package func add(_ app: App) {
        content.withLock { content in
            content.apps[app.number] = app
            content.appsByName[app.name] = app.number
        }
    }

    package func add(_ source: Source) {
        content.withLock { content in
            content.sources[source.number] = source
            content.sourcesByName[source.app, default: [:]][source.name] = source.number
        }
    }

    package func app(_ number: Int32) -> App? { content.withLock { $0.apps[number] } }

    package func app(named name: String) -> App? {
        content.withLock { content in content.appsByName[name].flatMap { content.apps[$0] } }
    }

    package var apps: [App] { content.withLock { $0.apps.values.sorted { $0.number < $1.number } } }

    package func source(_ number: Int32) -> Source? { content.withLock { $0.sources[number] } }

    package func source(named name: String, app: Int32) -> Source? {
        content.withLock { content in content.sourcesByName[app]?[name].flatMap { content.sources[$0] } }
    }

    /// One of our own sources, which exist for every app from its first day.
    package func own(_ source: OwnSource, app: Int32) -> Source? { self.source(named: source.rawValue, app: app) }
}
