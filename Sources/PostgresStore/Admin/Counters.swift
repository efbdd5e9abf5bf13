package import Postgres

/// How many cards of open orders are in a phase of their machine.
package struct PhaseCount: Hashable, Sendable, RowDecodable {
    package var phase: Int32
    package var count: Int64

    package init(from row: inout PGRow) throws(PostgresError) {
        phase = try row.int4()
        count = try row.int8()
    }
}

/// Figures for metrics and health, over all lanes.
package enum Counters {
    package static let pendingSlots = count("pending_slots", "SELECT count(*) FROM slot")
    package static let parkedStreams = count("parked_streams", "SELECT count(*) FROM parked")
    package static let openOrders = count(
        "count_open_orders",
        "SELECT count(*) FROM order_state WHERE closed_at IS NULL"
    )

    /// Cards of closed orders are history and not counted.
    package static let activitiesByPhase = Query<[PhaseCount]>.list(
        Statement(
            "activities_by_phase",
            """
            SELECT a.phase, count(*) FROM order_state o
              JOIN activity a ON a.lane = o.lane AND a.app = o.app AND a.order_id = o.order_id
            WHERE o.closed_at IS NULL GROUP BY a.phase ORDER BY a.phase
            """
        )
    )

    /// The database clock, in microseconds since 1970 (UTC): the only clock whose times are stored.
    package static let databaseTime = Query<Int64>.value(Statement("database_time", "SELECT clock_timestamp()")) {
        (row) throws(PostgresError) in try row.timestamptz()
    }

    private static func count(_ name: String, _ sql: String) -> Query<Int64> {
        .value(Statement(name, sql)) { (row) throws(PostgresError) in try row.int8() }
    }
}
