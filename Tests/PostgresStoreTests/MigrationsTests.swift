import Postgres
import PostgresStore
import Runtime
import TestSupport
import Testing

@Suite(.enabled(if: TestDatabase.isAvailable))
struct MigrationsTests {
    private func migrate(
        _ database: TestDatabase,
        lanes: Int32? = nil
    ) async throws -> [Migration] {
        let connection = try await database.connect(StoreSession.migrating)
        do {
            let applied = try await Migrations.apply(on: connection, lanes: lanes, now: now)
            await connection.close()
            return applied
        } catch {
            await connection.close()
            throw error
        }
    }

    private func failure(_ body: () async throws -> Void) async -> StoreError.Code? {
        do { try await body() } catch { return (error as? StoreError)?.code }
        return nil
    }

    @Test func `an empty database gets every step once`() async throws {
        let database = try await TestDatabase.make()
        #expect(try await migrate(database, lanes: 16) == Migration.all)
        #expect(try await migrate(database) == [])
        let connection = try await database.connect()
        let installation = try await Migrations.check(connection)
        #expect(installation.lanes == 16)
        #expect(try await connection.run(Leases.all()).count == 16)
        #expect(try await connection.run(Checkpoints.read(lanes: Array(0..<16))).count == 16)
        await connection.close()
        try await database.drop()
    }

    @Test func `two processes migrate one after the other`() async throws {
        let database = try await TestDatabase.make()
        async let first = migrate(database)
        async let second = migrate(database)
        let applied = try await first.count + second.count
        #expect(applied == Migration.all.count)
        try await database.drop()
    }

    @Test func `the number of lanes is fixed`() async throws {
        let database = try await TestDatabase.make()
        _ = try await migrate(database, lanes: 4)
        let code = await failure { _ = try await migrate(database, lanes: 8) }
        #expect(code == .lanesDiffer)
        try await database.drop()
    }

    @Test func `an empty, an older, a newer and an edited database are told apart`() async throws {
        let database = try await TestDatabase.make()
        let connection = try await database.connect()
        #expect(await failure { _ = try await Migrations.check(connection) } == .notMigrated)
        _ = try await Migrations.apply(on: connection, now: now)
        let last = Migration.all.count
        try await connection.runScript("DELETE FROM doorstep.migration WHERE number = \(last)")
        #expect(await failure { _ = try await Migrations.check(connection) } == .notMigrated)
        try await connection.runScript("INSERT INTO doorstep.migration VALUES (\(last), 'x', '\\x00', now())")
        #expect(await failure { _ = try await Migrations.check(connection) } == .changedMigration)
        try await connection.runScript(
            """
            UPDATE doorstep.migration SET digest = '\\x\(Migration.all[last - 1].digestText)' WHERE number = \(last);
            INSERT INTO doorstep.migration VALUES (\(last + 1), 'y', '\\x00', now())
            """
        )
        #expect(await failure { _ = try await Migrations.check(connection) } == .newerSchema)
        await connection.close()
        try await database.drop()
    }

    @Test func `a database in another encoding or order is refused before anything is made`() async throws {
        let latin = try await TestDatabase.make(options: "ENCODING 'LATIN1' LOCALE 'C'")
        #expect(await failure { _ = try await migrate(latin) } == .wrongEncoding)
        try await latin.drop()
        let sorted = try await TestDatabase.make(options: "LOCALE 'C.UTF-8'")
        #expect(await failure { _ = try await migrate(sorted) } == .wrongCollation)
        try await sorted.drop()
    }

    @Test func `a step that fails leaves nothing behind`() async throws {
        let database = try await TestDatabase.make()
        let connection = try await database.connect()
        // The second step will find its table taken.
        try await connection.runScript("CREATE SCHEMA doorstep; CREATE TABLE doorstep.access_key (x int)")
        let code = await failure { _ = try await Migrations.apply(on: connection, now: now) }
        #expect(code == .database)
        try await connection.runScript("DROP TABLE doorstep.access_key")
        let applied = try await Migrations.apply(on: connection, now: now)
        #expect(applied == Array(Migration.all.dropFirst()))
        await connection.close()
        try await database.drop()
    }
}
