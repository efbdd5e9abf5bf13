private import JSONText
internal import Postgres
internal import PostgresStore
internal import Runtime
internal import Service
private import Tracking

/// Reads the versions of the policies again and again: whichever process wrote a version, all decide by it soon after it
/// becomes active. Nothing is pushed for that: each card is judged by it at its next fact.
struct ActivePolicies: Service {
    static let interval = Duration.seconds(5)

    let pool: PostgresPool
    let directory: Directory
    let clock: DatabaseClock
    let log: Log

    func run() async throws {
        var wasRead = true
        while !Task.isCancelled {
            do throws(PostgresError) {
                directory.take(try await pool.run(Apps.policies), at: clock.now)
                wasRead = true
            } catch {
                if wasRead { log.warning("policies not read", ["error": LogValue("\(error)")]) }
                wasRead = false
            }
            try await pool.loop.sleep(for: Self.interval)
        }
    }
}

extension Directory {
    /// Takes over the policies as the database has them. What the contract demands is this process's to say.
    ///
    /// Versions are never removed, so a reading with fewer of them is an older one that was overtaken.
    func take(_ rows: [PolicyRow], at now: Int64) {
        for var app in apps {
            let rows = rows.filter { $0.app == app.number }
            guard rows.count >= app.editions.count else { continue }
            app.editions = rows.map { row in
                var policy = Policy(stored: (try? JSON.parse(Array(row.body.utf8))) ?? [:], version: row.version)
                policy.contract = app.policy.contract
                return PolicyEdition(activeFrom: row.activeFrom, policy: policy)
            }
            app.policy = app.editions.inForce(at: now) ?? app.policy
            add(app)
        }
    }
}
