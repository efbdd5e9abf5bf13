package import Postgres
internal import PostgresStore

/// Gives every event source its number; a name heard of for the first time is written down.
package struct SourceRegistry: Sendable {
    private let pool: PostgresPool
    private let directory: Directory

    package init(pool: PostgresPool, directory: Directory) {
        self.pool = pool
        self.directory = directory
    }

    package func source(named name: String, app: Int32) async throws(PostgresError) -> Directory.Source {
        if let known = directory.source(named: name, app: app) { return known }
        var attempt = 0
        while true {
            do throws(PostgresError) {
                let number = try await pool.run(Apps.saveSource(app: app, name: name, config: "{}"))
                let source = Directory.Source(number: number, app: app, name: name)
                directory.add(source)
                return source
            } catch {
                // Two processes hear of a source at once: the number is drawn again.
                attempt += 1
                guard error.remedy == .callAgain, attempt < 10 else { throw error }
            }
        }
    }

    /// Reads what other processes wrote: a fact may come from a source that only they have heard of.
    package func load() async throws(PostgresError) {
        for row in try await pool.run(Apps.sources) {
            directory.add(Directory.Source(number: row.number, app: row.app, name: row.name))
        }
    }
}
