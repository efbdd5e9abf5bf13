import Runtime
import TestSupport
import Testing

@testable import Postgres

@Suite(.enabled(if: TestDatabase.isAvailable))
struct PostgresPoolTests {
    private let pid = Statement("pid", "SELECT pg_backend_pid()")

    private func backend(_ session: some PostgresSession) async throws -> Int32 {
        var row = try await session.run(pid)[0]
        return try row.int4()
    }

    @Test func `calls spread over all connections`() async throws {
        try await TestDatabase.with(connections: 3) { _, pool in
            while await pool.openCount < 3 { try await TestLoop.shared.sleep(for: .milliseconds(5)) }
            let nap = Statement("nap", "SELECT pg_backend_pid(), pg_sleep(0.2)")
            let backends = try await withThrowingTaskGroup(of: Int32.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        var row = try await pool.run(nap)[0]
                        return try row.int4()
                    }
                }
                return try await group.reduce(into: Set<Int32>()) { $0.insert($1) }
            }
            #expect(backends.count == 3)
        }
    }

    @Test func `a killed connection is replaced`() async throws {
        try await TestDatabase.with(connections: 1) { [self] database, pool in
            let first = try await backend(pool)
            let killer = try await database.connect()
            _ = try await killer.run(Statement("kill", "SELECT pg_terminate_backend($1)"), [.int4(first)])
            await killer.close()
            var second: Int32?
            while second == nil { second = try? await backend(pool) }
            #expect(second != first)
        }
    }

    @Test func `a connection is replaced after its age, between calls`() async throws {
        let database = try await TestDatabase.make()
        let pool = PostgresPool(
            loop: TestLoop.shared,
            settings: PostgresSettings(url: database.url),
            size: 1,
            recycleAfter: .milliseconds(100)
        )
        let service = Task { await pool.run() }
        var seen: Set<Int32> = []
        while seen.count < 3 { seen.insert(try await backend(pool)) }
        service.cancel()
        await service.value
        let failure = await #expect(throws: PostgresError.self) { try await pool.run(pid) }
        #expect(failure?.code == .closed)
        try await database.drop()
    }

    @Test func `without a server a caller is refused after the acquire timeout`() async throws {
        let pool = PostgresPool(
            loop: TestLoop.shared,
            settings: PostgresSettings(url: "postgresql://postgres@127.0.0.1:1/x"),
            size: 1,
            acquireTimeout: .milliseconds(50)
        )
        let service = Task { await pool.run() }
        let failure = await #expect(throws: PostgresError.self) { try await pool.run(pid) }
        #expect(failure?.code == .unreachable)
        service.cancel()
        await service.value
    }

    @Test func `calls under way finish when the pool is stopped`() async throws {
        let database = try await TestDatabase.make()
        let pool = PostgresPool(loop: TestLoop.shared, settings: PostgresSettings(url: database.url), size: 1)
        let service = Task { await pool.run() }
        _ = try await backend(pool)
        let nap = Task { try await pool.run(Statement("nap", "SELECT pg_sleep(0.2)")) }
        try await TestLoop.shared.sleep(for: .milliseconds(50))
        service.cancel()
        #expect(try await nap.value.count == 1)
        await service.value
        try await database.drop()
    }
}
