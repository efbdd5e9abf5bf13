internal import Postgres
private import PostgresStore
internal import Runtime
internal import Service

/// The figures of a serving process, as `docs/metrics.md` lists them.
final class ServiceMetrics: Sendable {
    private static let events = ["start", "update", "end", "alert", "openChannel", "closeChannel"]
    private static let results = ["accepted", "forgetToken", "retry", "drop", "lost"]
    private static let states = [
        "none", "starting", "maybeStarted", "live", "localOnly", "ending", "unreachable", "dismissed", "ended",
        "liveOnChannel",
    ]

    private let pushes: Counter
    private let commitToAccept: Histogram
    private let slots: Gauge
    private let parked: Gauge
    private let activities: Gauge
    private let lag: Gauge
    private let lanes: Gauge
    private let open: Gauge
    private let stopped: Gauge
    private let skew: Gauge
    private let worker = Locked<Worker?>(nil)
    private let gateway = Locked<APNsGateway?>(nil)

    init(_ metrics: Metrics) {
        pushes = metrics.counter(
            "doorstep_pushes_total",
            "Pushes by event and by what APNs made of them.",
            labels: [MetricLabel("event", Self.events), MetricLabel("result", Self.results)]
        )
        commitToAccept = metrics.histogram(
            "doorstep_commit_to_accept_seconds",
            "From the commit of an event to APNs' acceptance of the push that shows it, for pushes due at once.",
            bounds: [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
        )
        slots = metrics.gauge("doorstep_slots_pending", "Cards with an intention that was not sent yet.")
        parked = metrics.gauge("doorstep_parked_orders", "Streams that could not be folded and rest.")
        activities = metrics.gauge(
            "doorstep_activities",
            "Cards of open orders by state.",
            labels: [MetricLabel("state", Self.states)]
        )
        lag = metrics.gauge("doorstep_projection_lag_seconds", "Age of the oldest fact that was not folded yet.")
        lanes = metrics.gauge("doorstep_leases_owned", "Lanes this process works.")
        stopped = metrics.gauge(
            "doorstep_apps_stopped",
            "Apps whose pushes wait because APNs refuses their key, topic or most tokens, or is out of reach."
        )
        skew = metrics.gauge("doorstep_apns_clock_skew_seconds", "How far APNs' clock is ahead of this machine's.")
        open = metrics.gauge("doorstep_orders_open", "Orders whose cards are not over yet.")
    }

    func watch(_ worker: Worker, _ gateway: APNsGateway) {
        self.worker.withLock { $0 = worker }
        self.gateway.withLock { $0 = gateway }
    }

    func count(_ push: PushCount) {
        pushes.add(1, push.event, push.result)
        if let latency = push.commitToAccept { commitToAccept.observe(Double(latency) / 1e6) }
    }

    /// Asks the database for what only it knows. What it does not tell stays as it was.
    func refresh(_ pool: PostgresPool, _ clock: DatabaseClock) async {
        if let worker = worker.withLock({ $0 }) { lanes.set(Double(await worker.held.count)) }
        if let gateway = gateway.withLock({ $0 }) {
            stopped.set(Double(gateway.stoppedApps))
            if let seconds = gateway.clockSkew { skew.set(Double(seconds)) }
        }
        guard
            let (slots, parked, open, states) = try? await pool.run(
                Counters.pendingSlots,
                Counters.parkedStreams,
                Counters.openOrders,
                Counters.activitiesByPhase
            )
        else { return }
        self.slots.set(Double(slots))
        self.parked.set(Double(parked))
        self.open.set(Double(open))
        for (number, name) in Self.states.enumerated() {
            activities.set(Double(states.first { $0.phase == number }?.count ?? 0), name)
        }
        guard let behind = try? await pool.run(LaneWork.lag()) else { return }
        let oldest = behind.map(\.recordedAt).min()
        lag.set(oldest.map { max(0, Double(clock.now - $0) / 1e6) } ?? 0)
    }
}
