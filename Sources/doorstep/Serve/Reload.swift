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
    let push: PushClients?
    let clock: DatabaseClock
    let log: Log

    func run() async throws {
        for await _ in try Signals.stream([.hangUp], on: pool.loop) {
            do {
                let registration = try await Registration(try Configuration.read(path), in: pool, now: clock.now)
                try await push?.reload(registration)
                directory.take(registration, at: clock.now)
                log.info("reloaded", ["apps": LogValue(registration.apps.count)])
            } catch let failure as Failure {
                for problem in failure.problems { log.error("not reloaded", ["problem": LogValue(problem)]) }
            } catch {
                log.error("not reloaded", ["problem": LogValue("\(error)")])
            }
        }
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
