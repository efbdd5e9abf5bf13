internal import API
internal import Postgres
internal import Runtime
internal import Service
private import Tracking

/// Reads the configuration again on SIGHUP: policies, sources and APNs keys change without a restart.
///
/// A configuration with a mistake changes nothing; the mistake is logged.
struct Reload: Service {
    let path: String
    let pool: PostgresPool
    let directory: Directory
    let sources: ConfiguredSources
    let tokens: CustomerTokens
    let keySets: KeySets
    let push: PushClients?
    let clock: DatabaseClock
    let log: Log

    func run() async throws {
        for await _ in try Signals.stream([.hangUp], on: pool.loop) {
            do {
                log.info("reloaded", ["apps": LogValue(try await reload())])
            } catch let failure as Failure {
                for problem in failure.problems { log.error("not reloaded", ["problem": LogValue(problem)]) }
            } catch {
                log.error("not reloaded", ["problem": LogValue("\(error)")])
            }
        }
    }
}

extension Reload {
    /// Takes over what the file says now, and answers how many apps it has. A mistake is found before a policy is
    /// written, which all processes would decide by.
    func reload() async throws -> Int {
        let configuration = try Configuration.read(path)
        try configuration.checkFiles(pushes: push != nil)
        let registration = try await Registration(configuration, in: pool, now: clock.now)
        try await push?.reload(registration)
        directory.take(registration, at: clock.now)
        sources.replace(configuration.sourceSettings)
        tokens.replace(configuration.tokenIssuers)
        await keySets.replace(configuration.keySetAddresses)
        return registration.apps.count
    }
}

extension Configuration {
    /// What the API must know of the sources, by app and name.
    var sourceSettings: [String: [String: SourceSettings]] {
        var settings: [String: [String: SourceSettings]] = [:]
        for source in sources {
            var taken = SourceSettings(
                timeZone: source.timeZone.flatMap { TimeZoneRules(named: $0) },
                keepRaw: source.keepRaw
            )
            if source.adapter == nil {
                taken.secrets = source.secrets.compactMap { WebhookSecret($0) }
            } else {
                taken.adapter = source.adapter
                taken.platformSecrets = source.secrets
                taken.address = source.address
            }
            settings[source.app, default: [:]][source.name] = taken
        }
        return settings
    }
}

extension Directory {
    /// Takes over the apps and sources of a configuration, with the policies that the database has of them.
    func take(_ registration: Registration, at now: Int64) {
        for source in registration.sources {
            add(Source(number: source.number, app: source.app, name: source.name))
        }
        for app in registration.apps {
            var policy = app.settings.policy
            policy.contract = app.settings.contractDemands
            var taken = App(
                number: app.number,
                name: app.settings.id,
                bundleID: app.settings.bundleID,
                environment: app.settings.environment == .sandbox ? .sandbox : .production,
                policy: policy
            )
            taken.editions = self.app(app.number)?.editions ?? []
            add(taken)
        }
        take(registration.policies, at: now)
    }
}
