private import ActivityContract
private import Adapters
internal import JSONText
internal import Postgres
internal import PostgresStore
internal import Tracking

/// The configured apps and sources as the database knows them, by number.
struct Registration: Sendable {
    struct App: Sendable {
        let number: Int32
        let settings: Configuration.App
    }

    struct Source: Sendable {
        let number: Int32
        let app: Int32
        let name: String
        /// Nil for Doorstep's own.
        let settings: Configuration.Source?
    }

    private(set) var apps: [App] = []
    private(set) var sources: [Source] = []
    /// All versions of all policies, those just written included.
    private(set) var policies: [PolicyRow] = []

    /// Writes what is configured and not yet known; a policy that differs from the newest becomes a new version, active
    /// from `now`.
    ///
    /// Several processes may do this at once: numbers are then drawn again.
    init(_ configuration: Configuration, in session: some PostgresSession, now: Int64) async throws(PostgresError) {
        var attempts = 0
        while true {
            do throws(PostgresError) {
                try await write(configuration, session, now: now)
                return
            } catch {
                attempts += 1
                guard error.remedy == .callAgain, attempts < 5 else { throw error }
            }
        }
    }

    private mutating func write(
        _ configuration: Configuration,
        _ session: some PostgresSession,
        now: Int64
    ) async throws(PostgresError) {
        (apps, sources) = ([], [])
        policies = try await session.run(Apps.policies)
        for app in configuration.apps {
            let number = try await session.run(Apps.save(name: app.id, config: "\(app.json)"))
            try await activate(app.policy, of: number, session, now: now)
            apps.append(App(number: number, settings: app))
            for own in OwnSource.allCases { try await add(own.rawValue, nil, of: number, session) }
            for source in configuration.sources where source.app == app.id {
                try await add(source.name, source, of: number, session)
            }
        }
    }

    /// Another process may write the same version at the same time: then it is read, and judged again.
    private mutating func activate(
        _ policy: Policy,
        of app: Int32,
        _ session: some PostgresSession,
        now: Int64
    ) async throws(PostgresError) {
        var version: Int32 = 0
        while true {
            let newest = policies.last { $0.app == app }
            if let newest, !newest.isOther(than: policy) { return }
            version = max(version, newest?.version ?? 0) + 1
            let row = PolicyRow(app: app, version: version, activeFrom: now, body: "\(policy.json)")
            let written = try await session.run(Apps.insertPolicy(row))
            policies = try await session.run(Apps.policies)
            if written > 0 { return }
        }
    }

    private mutating func add(
        _ name: String,
        _ settings: Configuration.Source?,
        of app: Int32,
        _ session: some PostgresSession
    ) async throws(PostgresError) {
        let number = try await session.run(
            Apps.saveSource(app: app, name: name, config: "\(settings?.json ?? [:])")
        )
        sources.append(Source(number: number, app: app, name: name, settings: settings))
    }
}

extension PolicyRow {
    fileprivate func isOther(than policy: Policy) -> Bool { (try? JSON.parse(Array(body.utf8))) != policy.json }
}

extension Configuration.App {
    /// As it is shown and stored; keys by id only.
    var json: JSON {
        [
            "id": .string(id), "bundleId": .string(bundleID), "teamId": .string(teamID),
            "environment": .string(environment.rawValue), "attributesType": .optional(attributesType),
            "keys": .array(keys.map { ["id": .string($0.id), "file": .string($0.file)] }), "policy": policy.json,
            "contract": .array(contracts.map(\.json)), "locales": .array(locales.map(JSON.string)),
        ]
    }
}

extension Configuration.ContractChoice {
    fileprivate var json: JSON { ["file": .string(name), "fromBuild": .optional(firstBuild?.description)] }
}

extension Configuration.Source {
    /// As it is shown and stored: without its secrets.
    var json: JSON {
        [
            "name": .string(name), "app": .string(app), "timeZone": .optional(timeZone), "keepRaw": .bool(keepRaw),
            "adapter": .optional(adapter?.name), "address": .optional(address),
        ]
    }
}
