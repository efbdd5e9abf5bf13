package import Runtime

/// What became of events, counted: `doorstep_events_total{source,result}`. A request refused as a whole holds no event.
package struct EventCounters: Sendable {
    /// The values of label `result`.
    package enum Result: String, Sendable, CaseIterable {
        case accepted
        case duplicate
        case rejected
        case reused
        case conflict
        case unavailable
    }

    private let events: Counter
    private let dropped: Counter

    /// `sources` are the names that become labels; events of others count as `other`.
    package init(metrics: Metrics, sources: [String]) {
        // Two apps may have a source of one name: it is one series.
        let source = MetricLabel("source", Set(sources).sorted())
        events = metrics.counter(
            "doorstep_events_total",
            "Events received, by source and by what became of them.",
            labels: [source, MetricLabel("result", Result.self)]
        )
        dropped = metrics.counter(
            "doorstep_event_members_dropped_total",
            "Members of events that are not part of the contract and were not kept.",
            labels: [source]
        )
    }

    func count(_ result: Result, source: String?) {
        events.add(1, source ?? MetricLabel.otherValue, result.rawValue)
    }

    func countDropped(_ members: Int, source: String) {
        dropped.add(members, source)
    }
}
