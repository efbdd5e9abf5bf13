private import HTTPClient
internal import Postgres
internal import Runtime

/// The one live line: what goes on, from the service's own metrics and the database's order table.
actor StatusLine {
    /// Counting is left off once it takes longer: a large database has better things to do.
    private static let patience = Duration.milliseconds(100)

    private let client: HTTPClient
    private let key: String
    private let database: PostgresPool
    private var counts = true

    init(_ stack: Supervisor.Stack, loop: EventLoop) {
        client = HTTPClient(
            loop: loop,
            baseURL: stack.environment["DOORSTEP_URL"] ?? "",
            maxConnections: 1,
            timeout: .seconds(5)
        )
        key = stack.environment["DOORSTEP_OPERATOR_KEY"] ?? ""
        let settings = PostgresSettings(
            url: stack.cluster.url(database: DatabaseSetup.database),
            options: ["search_path": "doorstep", "statement_timeout": "2s"],
            applicationName: "doorstep up"
        )
        database = PostgresPool(loop: loop, settings: settings, size: 1)
    }

    /// Keeps the line up to date until cancelled.
    func run(show: @Sendable (String) -> Void) async {
        let database = database
        await withTaskGroup { group in
            group.addTask { await database.run() }
            while !Task.isCancelled {
                if let text = await text() { show(text) }
                try? await database.loop.sleep(for: .seconds(1))
            }
            group.cancelAll()
        }
    }

    /// Nil while the service does not answer.
    private func text() async -> String? {
        let headers = [("Authorization", "Bearer \(key)")]
        guard let answer = try? await client.send("GET", "/metrics", headers: headers), answer.status == 200 else {
            return nil
        }
        let metrics = MetricsText(answer.text)
        let accepted = metrics.sum("doorstep_pushes_total", ["result": "accepted"])
        let refused = metrics.sum("doorstep_pushes_total") - accepted
        let p99 = metrics.quantile(0.99, of: "doorstep_commit_to_accept_seconds")
        return await orders() + "pushes \(Int(accepted)) accepted, \(Int(refused)) refused · "
            + "accept p99 \(p99.map { "\(Int($0 * 1000)) ms" } ?? "–")"
    }

    private func orders() async -> String {
        guard counts else { return "" }
        let start = MonotonicTime.now
        guard let (open, delivered) = try? await database.run(Self.orderCounts) else { return "" }
        counts = MonotonicTime.now - start < Self.patience
        return "orders \(open) open, \(delivered) delivered · "
    }

    private static let orderCounts = Query(
        Statement(
            "order_counts",
            """
            SELECT count(*) FILTER (WHERE closed_at IS NULL), count(*) FILTER (WHERE phase = 5) FROM order_state
            """
        )
    ) { (rows) throws(PostgresError) in
        try rows.decodeOne { (row) throws(PostgresError) in (open: try row.int8(), delivered: try row.int8()) }
    }
}
