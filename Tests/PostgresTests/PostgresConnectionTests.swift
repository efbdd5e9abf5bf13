import Runtime
import TestSupport
import Testing

@testable import Postgres

@Suite(.enabled(if: TestDatabase.isAvailable))
struct PostgresConnectionTests {
    private let insert = Statement("insert", "INSERT INTO app (app, name, config) VALUES ($1, $2, '{}')")
    private let count = Statement("count", "SELECT count(*) FROM app")
    private let fail = Statement("fail", "SELECT 1 / $1::int4")

    private func apps(_ session: some PostgresSession) async throws -> Int64 {
        var row = try await session.run(count)[0]
        return try row.int8()
    }

    @Test func `a list of calls happens as a whole or not at all`() async throws {
        try await TestDatabase.with { [self] _, pool in
            let calls = [
                Call(insert, [.int4(1), .text("a")]), Call(fail, [.int4(0)]), Call(insert, [.int4(2), .text("b")]),
            ]
            let failure = await #expect(throws: PostgresError.self) { try await pool.perform(calls, within: nil) }
            #expect(failure?.code == .rejected)
            #expect(failure?.sqlState == "22012")
            #expect(failure?.operation == "fail")
            #expect(try await apps(pool) == 0)
            _ = try await pool.perform([calls[0], calls[2]], within: nil)
            #expect(try await apps(pool) == 2)
        }
    }

    @Test func `the failure of one caller does not touch a stranger on the same connection`() async throws {
        try await TestDatabase.with(connections: 1) { [self] _, pool in
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for id in 0..<100 {
                    group.addTask {
                        let call =
                            id % 2 == 0 ? Call(insert, [.int4(Int32(id)), .text("\(id)")]) : Call(fail, [.int4(0)])
                        return (try? await pool.perform([call], within: nil)) != nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            let stored = try await apps(pool)
            #expect(outcomes == 50)
            #expect(stored == 50)
        }
    }

    @Test func `answers go to their callers in order`() async throws {
        try await TestDatabase.with(connections: 2) { _, pool in
            let echo = Statement("echo", "SELECT $1::int4")
            try await withThrowingTaskGroup(of: (Int32, Int32).self) { group in
                for id in Int32(0)..<1000 {
                    group.addTask {
                        var row = try await pool.run(echo, [.int4(id)])[0]
                        return (id, try row.int4())
                    }
                }
                for try await (asked, answered) in group { #expect(asked == answered) }
            }
        }
    }

    @Test func `a statement whose preparation failed works once its table exists`() async throws {
        try await TestDatabase.with { database, _ in
            let connection = try await database.connect()
            let early = Statement("early", "SELECT count(*) FROM late")
            let failure = await #expect(throws: PostgresError.self) { try await connection.run(early) }
            #expect(failure?.sqlState == "42P01")
            try await connection.runScript("CREATE TABLE late (x int)")
            #expect(try await connection.run(early).count == 1)
            await connection.close()
        }
    }

    @Test func `a call past its deadline is cancelled, undone and its connection goes on`() async throws {
        try await TestDatabase.with { [self] database, pool in
            let connection = try await database.connect()
            let calls = [
                Call(insert, [.int4(1), .text("a")]),
                Call(Statement("sleep", "SELECT pg_sleep($1)"), [.null]),
                Call(Statement("nap", "SELECT pg_sleep(30)")),
            ]
            let failure = await #expect(throws: PostgresError.self) {
                try await connection.perform(calls, within: .milliseconds(50))
            }
            #expect(failure?.code == .timedOut)
            #expect(try await apps(connection) == 0)
            await connection.close()
        }
    }

    @Test func `calls under way on a killed session are lost or undone, later ones refused`() async throws {
        try await TestDatabase.with { database, pool in
            let connection = try await database.connect()
            var row = try await connection.run(Statement("pid", "SELECT pg_backend_pid()"))[0]
            let backend = try row.int4()
            let nap = Task { try await connection.run(Statement("nap", "SELECT pg_sleep(30)")) }
            _ = try await pool.run(Statement("kill", "SELECT pg_terminate_backend($1)"), [.int4(backend)])
            let failure = await #expect(throws: PostgresError.self) { try await nap.value }
            #expect(failure?.code == .lost || failure?.sqlState == "57P01")
            let later = await #expect(throws: PostgresError.self) {
                try await connection.run(Statement("one", "SELECT 1"))
            }
            #expect(later?.code == .closed)
            await connection.close()
        }
    }

    @Test func `a large list of large values passes both ways`() async throws {
        try await TestDatabase.with { _, pool in
            let bodies = (0..<200).map { [UInt8](repeating: UInt8($0), count: 20000) }
            let rows = try await pool.run(Statement("bodies", "SELECT b FROM unnest($1) b"), [.byteaArray(bodies)])
            let back = try rows.decode { row throws(PostgresError) in try row.bytea() }
            #expect(back == bodies)
        }
    }

    /// The buffers between us and the server are full both ways: what libpq takes in while it cannot send is an answer
    /// that no readiness announces.
    @Test func `answers that come while sending is blocked reach their callers`() async throws {
        let echo = Statement("echo_large", "SELECT $1::bytea")
        try await TestDatabase.with(connections: 1) { _, pool in
            for round in 0..<5 {
                let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
                    for caller in 0..<40 {
                        group.addTask {
                            let bytes = [UInt8](repeating: UInt8(caller), count: 200_000 + round * 1_000 + caller)
                            var row = try await pool.run(echo, [.bytea(bytes)])[0]
                            return try row.bytea().count
                        }
                    }
                    return try await group.reduce(into: [Int]()) { $0.append($1) }
                }
                #expect(sizes.sorted() == (0..<40).map { 200_000 + round * 1_000 + $0 })
            }
        }
    }

    @Test func `an unknown server, database or name is unreachable`() async throws {
        let database = try await TestDatabase.make()
        let wrong = [
            "postgresql://postgres@/x?host=/nonexistent", "postgresql://postgres@127.0.0.1:1/x",
            "postgresql://postgres@no-such-host.invalid/x", database.url + "x&nonsense=1", "not a url",
        ]
        for url in wrong {
            let failure = await #expect(throws: PostgresError.self) {
                try await PostgresConnection.open(on: TestLoop.shared, PostgresSettings(url: url))
            }
            #expect(failure?.code == .unreachable, "\(url)")
        }
        try await database.drop()
    }

    @Test func `a script is one transaction and leaves the pipeline usable`() async throws {
        try await TestDatabase.with { [self] database, _ in
            let connection = try await database.connect()
            let failure = await #expect(throws: PostgresError.self) {
                try await connection.runScript("INSERT INTO app VALUES (1, 'a', '{}'); SELECT nonsense;")
            }
            #expect(failure?.sqlState == "42703")
            #expect(try await apps(connection) == 0)
            try await connection.runScript(
                "INSERT INTO app VALUES (1, 'a', '{}'); INSERT INTO app VALUES (2, 'b', '{}')"
            )
            #expect(try await apps(connection) == 2)
            await connection.close()
        }
    }

    @Test func `a refused value does not appear in the error`() async throws {
        try await TestDatabase.with { _, pool in
            let cast = Statement("cast", "SELECT $1::text::int4")
            let failure = await #expect(throws: PostgresError.self) { try await pool.run(cast, [.text("secret")]) }
            #expect(failure?.description.contains("secret") == false)
        }
    }
}
