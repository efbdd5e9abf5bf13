private import API
private import Postgres
private import PostgresStore
internal import Runtime

/// Brings the private database to where `serve` can work: made, migrated, with the configured apps and the demo keys.
struct DatabaseSetup {
    static let database = "doorstep"

    let cluster: PostgresCluster
    let loop: EventLoop

    /// Whether the server takes connections.
    func isServing() async -> Bool {
        do {
            try await PostgresConnection.open(on: loop, PostgresSettings(url: cluster.url(database: "postgres")))
                .close()
            return true
        } catch {
            return false
        }
    }

    /// Sets everything up and puts the keys into `environment`; those that are there and valid stay.
    func run(_ configuration: Configuration, _ environment: inout EnvironmentFile) async throws(Failure) {
        do {
            try await makeDatabase()
            let url = cluster.url(database: Self.database)
            let connection = try await PostgresConnection.open(on: loop, StoreSession.durable(url))
            do {
                let now = WallClock.microseconds
                _ = try await Migrations.apply(on: connection, lanes: lanes(of: connection), now: now)
                let registration = try await Registration(configuration, in: connection, now: now)
                environment = try await keys(in: environment, registration, KeyStore(session: connection), now: now)
            } catch {
                await connection.close()
                throw error
            }
            await connection.close()
        } catch let error as PostgresError {
            throw Failure(error)
        } catch let error as StoreError {
            throw Failure(error)
        } catch {
            throw Failure(.internalError, "\(error)")
        }
    }

    /// A lane for every processor, far fewer than a platform's database has: each lane of a batch costs a call, and one
    /// machine works all of them. A database that is there keeps what it was made with.
    private func lanes(of connection: PostgresConnection) async -> Int32 {
        if let made = try? await Migrations.check(connection) { return made.lanes }
        var lanes: Int32 = 2
        while lanes < 64, lanes < SystemProcessors.count { lanes *= 2 }
        return lanes
    }

    private func makeDatabase() async throws {
        let admin = try await PostgresConnection.open(
            on: loop,
            PostgresSettings(url: cluster.url(database: "postgres"))
        )
        do throws(PostgresError) {
            try await admin.runScript(
                "CREATE DATABASE \(Self.database) TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"
            )
        } catch {
            // 42P04: it is there.
            guard error.sqlState == "42P04" else {
                await admin.close()
                throw error
            }
        }
        await admin.close()
    }

    private func keys(
        in environment: EnvironmentFile,
        _ registration: Registration,
        _ store: KeyStore,
        now: Int64
    ) async throws(PostgresError) -> EnvironmentFile {
        var environment = environment
        let apps = DemoConfiguration.apps.compactMap { name in registration.apps.first { $0.settings.id == name } }
        let numbers = apps.map(\.number)
        for role in Role.allCases {
            let name = "DOORSTEP_\(role.rawValue.uppercased())_KEY"
            if let text = environment[name], try await store.isValid(text, role: role, apps: numbers) { continue }
            environment[name] = try await store.create(role, apps: numbers, note: "made by up", now: now).text
        }
        return environment
    }
}
