import Crypto
import TestSupport
import Testing

@testable import Postgres

/// Values there and back through a real server.
@Suite(.enabled(if: TestDatabase.isAvailable))
struct PGValueTests {
    @Test func `every scalar comes back as it went`() async throws {
        try await TestDatabase.with { _, pool in
            let id = UUID128.random()
            let rows = try await pool.run(
                Statement("scalars", "SELECT $1, $2, $3, $4, $5, $6, $7, $8"),
                [
                    .bool(true), .int4(-7), .int8(.min), .text("h\u{e9}l\u{1F600}"), .bytea([0, 255, 7]), .uuid(id),
                    .timestamptz(1_764_460_800_123_456), .char(UInt8(ascii: "o")),
                ]
            )
            var row = rows[0]
            #expect(try row.bool() == true)
            #expect(try row.int4() == -7)
            #expect(try row.int8() == .min)
            #expect(try row.text() == "h\u{e9}l\u{1F600}")
            #expect(try row.bytea() == [0, 255, 7])
            #expect(try row.uuid() == id)
            #expect(try row.timestamptz() == 1_764_460_800_123_456)
            #expect(try row.char() == UInt8(ascii: "o"))
        }
    }

    @Test func `the server reads values as their SQL text says`() async throws {
        try await TestDatabase.with { _, pool in
            let rows = try await pool.run(
                Statement(
                    "meaning",
                    """
                    SELECT $1 = '1999-12-31T23:59:59.5Z'::timestamptz, $2 = '00112233-4455-6677-8899-aabbccddeeff'::uuid,
                      $3 = ARRAY[1, NULL, 3]::bigint[], $4 = ARRAY['a', NULL, '']::text[], $5 = '{}'::int[],
                      $6 = ARRAY['1970-01-01Z'::timestamptz], $7 = ARRAY['x'::"char"], $8 = ARRAY['\\x00ff'::bytea, NULL],
                      $9 = ARRAY[true, false]
                    """
                ),
                [
                    .timestamptz(946_684_799_500_000),
                    .uuid(UUID128(hi: 0x0011_2233_4455_6677, lo: 0x8899_AABB_CCDD_EEFF)),
                    .int8Array([1, nil, 3]), .textArray(["a", nil, ""]), .int4Array([]), .timestamptzArray([0]),
                    .charArray([UInt8(ascii: "x")]), .byteaArray([[0, 255], nil]), .boolArray([true, false]),
                ]
            )
            var row = rows[0]
            for column in 1...9 { #expect(try row.bool() == true, "column \(column)") }
        }
    }

    @Test func `nulls, empty texts and empty bytes are three things`() async throws {
        try await TestDatabase.with { _, pool in
            let rows = try await pool.run(
                Statement("empties", "SELECT $1, $2, $3::text, $4::int4[], $5::text[], $6::int8[]"),
                [.text(""), .bytea([]), .null, .int4Array([]), .textArray(["", "b"]), .int8Array([5])]
            )
            var row = rows[0]
            #expect(try row.text() == "")
            #expect(try row.bytea() == [])
            #expect(try row.textOrNull() == nil)
            #expect(try row.int4Array() == [])
            #expect(try row.textArray() == ["", "b"])
            #expect(try row.int8Array() == [5])
        }
    }

    @Test func `a column of another type, a null and a missing column are refused`() async throws {
        try await TestDatabase.with { _, pool in
            let rows = try await pool.run(Statement("one_int", "SELECT 1::int4, NULL::int8"))
            var wrong = rows[0]
            #expect(throws: PostgresError.self) { try wrong.int8() }
            var row = rows[0]
            #expect(try row.int4() == 1)
            #expect(throws: PostgresError.self) { try row.int8() }
            #expect(throws: PostgresError.self) { try row.int8OrNull() }
        }
    }

    @Test func `a statement without rows says how many it touched`() async throws {
        try await TestDatabase.with { _, pool in
            let rows = try await pool.run(
                Statement("touch", "UPDATE lane_head SET floor_pos = 0 WHERE lane < $1"),
                [.int4(3)]
            )
            #expect(rows.isEmpty)
            #expect(rows.affected == 3)
        }
    }
}
