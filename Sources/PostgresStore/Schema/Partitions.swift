package import Postgres

/// The ranges of the four partitioned tables: `event` and `effect` by position, `dedupe` and `audit` by day.
///
/// Ranges of positions are a day wide, from the measured rate, and lie a few ahead: more slow appends down, and a
/// missing one refuses them (23514). DDL belongs to the maintenance role; run it on a connection of its own.
package enum Partitions {
    /// One range; `to` is not in it.
    package struct Range: Hashable, Sendable {
        package let table: String
        package let name: String
        package let from: Int64
        package let to: Int64
    }

    static let firstWidth: Int64 = 400_000
    static let rangesAhead = 2
    static let daysBehind: Int64 = 4
    static let daysAhead: Int64 = 3

    // MARK: - Planning

    /// The ranges that are missing.
    ///
    /// - Parameters:
    ///   - existing: all ranges of all four tables.
    ///   - highest: the highest position of any lane.
    ///   - perDay: how many positions the busiest lane takes in a day; nil when it has not been measured.
    ///   - today: days since 1970 (UTC).
    /// - Returns: ranges in the order they must be made.
    package static func missing(
        existing: [Range],
        highest: Int64,
        perDay: Int64?,
        today: Int64
    ) -> [Range] {
        let width = min(max(perDay ?? firstWidth, 50000), 5_000_000)
        let positions = ["event", "effect"].flatMap { table in
            missingPositions(table, existing.filter { $0.table == table }, highest: highest, width: width)
        }
        let days = ["dedupe", "audit"].flatMap { table in
            let made = Set(existing.filter { $0.table == table }.map(\.from))
            return ((today - daysBehind)...(today + daysAhead)).filter { !made.contains($0) }.map { day in
                Range(table: table, name: "\(table)_\(day)", from: day, to: day + 1)
            }
        }
        return positions + days
    }

    private static func missingPositions(
        _ table: String,
        _ existing: [Range],
        highest: Int64,
        width: Int64
    ) -> [Range] {
        var end = existing.map(\.to).max() ?? 0
        var ahead = existing.filter { $0.from > highest }.count
        var missing: [Range] = []
        while end <= highest || ahead < rangesAhead {
            missing.append(Range(table: table, name: "\(table)_\(end)", from: end, to: end + width))
            if end > highest { ahead += 1 }
            end += width
        }
        return missing
    }

    static func ddl(_ range: Range) -> String {
        let bounds = "FOR VALUES FROM (\(range.from)) TO (\(range.to))"
        // Freshly written facts are frozen while they are warm.
        let storage =
            range.table == "event" || range.table == "effect"
            ? " WITH (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 200000)" : ""
        return "CREATE TABLE doorstep.\(range.name) PARTITION OF doorstep.\(range.table) \(bounds)\(storage);"
    }

    // MARK: - Running

    /// Makes the ranges that are missing and returns them. `now` is in microseconds since 1970.
    @discardableResult
    package static func extend(
        on connection: PostgresConnection,
        perDay: Int64? = nil,
        now: Int64
    ) async throws(StoreError) -> [Range] {
        let (existing, highest) = try await call { () async throws(PostgresError) in
            try await connection.run(all, highestPosition)
        }
        let made = missing(existing: existing, highest: highest, perDay: perDay, today: now / 86_400_000_000)
        for range in made {
            try await call { () async throws(PostgresError) in try await connection.runScript(ddl(range)) }
        }
        return made
    }

    /// Drops the days before `day` of `dedupe` or `audit` and returns how many.
    @discardableResult
    package static func dropDays(
        of table: String,
        before day: Int64,
        on connection: PostgresConnection
    ) async throws(StoreError) -> Int {
        precondition(table == "dedupe" || table == "audit", "ranges of positions are dropped by the archive")
        let existing = try await call { () async throws(PostgresError) in try await connection.run(all) }
        let old = existing.filter { $0.table == table && $0.to <= day }
        for range in old {
            try await call { () async throws(PostgresError) in
                try await connection.runScript("DROP TABLE doorstep.\(range.name)")
            }
        }
        return old.count
    }

    // MARK: - Statements

    /// All ranges, by table and start.
    package static let all = Query(
        Statement(
            "partitions",
            #"""
            SELECT p.relname::text, c.relname::text, b[1]::bigint, b[2]::bigint
            FROM pg_inherits i
              JOIN pg_class p ON p.oid = i.inhparent
              JOIN pg_class c ON c.oid = i.inhrelid,
              regexp_match(pg_get_expr(c.relpartbound, c.oid), $q$FROM \('?(\d+)'?\) TO \('?(\d+)'?\)$q$) b
            WHERE p.relnamespace = 'doorstep'::regnamespace AND p.relkind = 'p' AND b IS NOT NULL
            ORDER BY 1, 3
            """#
        )
    ) { (rows) throws(PostgresError) in
        try rows.decode { (row) throws(PostgresError) in
            Range(table: try row.text(), name: try row.text(), from: try row.int8(), to: try row.int8())
        }
    }

    /// The highest position any lane has given out.
    package static let highestPosition = Query(
        Statement(
            "highest_position",
            """
            SELECT coalesce(max(greatest(h.floor_pos,
              (SELECT e.pos FROM doorstep.event e WHERE e.lane = h.lane ORDER BY e.pos DESC LIMIT 1))), 0)
            FROM doorstep.lane_head h
            """
        )
    ) { (rows) throws(PostgresError) in
        try rows.decodeOne { (row) throws(PostgresError) in try row.int8() }
    }

    /// How many whole ranges of `event` lie beyond the highest position; alarm at one.
    package static func ahead(_ existing: [Range], highest: Int64) -> Int {
        existing.filter { $0.table == "event" && $0.from > highest }.count
    }
}
