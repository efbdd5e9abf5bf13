import Runtime
import Testing

@Suite struct MetricsTests {
    private enum Result: String, CaseIterable {
        case accepted
        case rejected
    }

    @Test func `counters and gauges appear with all their series`() {
        let metrics = Metrics()
        let events = metrics.counter(
            "doorstep_events_total",
            "Events by source.",
            labels: [MetricLabel("source", ["pos"]), MetricLabel("result", Result.self)]
        )
        let lag = metrics.gauge("doorstep_lag_seconds", "Lag.")
        events.add(2, "pos", "accepted")
        lag.set(1.5)
        #expect(
            metrics.exposition() == """
                # HELP doorstep_events_total Events by source.
                # TYPE doorstep_events_total counter
                doorstep_events_total{source="pos",result="accepted"} 2
                doorstep_events_total{source="pos",result="rejected"} 0
                doorstep_events_total{source="pos",result="other"} 0
                doorstep_events_total{source="other",result="accepted"} 0
                doorstep_events_total{source="other",result="rejected"} 0
                doorstep_events_total{source="other",result="other"} 0
                # HELP doorstep_lag_seconds Lag.
                # TYPE doorstep_lag_seconds gauge
                doorstep_lag_seconds 1.5

                """
        )
    }

    @Test func `a value outside the closed set counts as other`() {
        let metrics = Metrics()
        let counter = metrics.counter("a_total", "A.", labels: [MetricLabel("result", Result.self)])
        counter.add(1, "order-4711")
        counter.add(1)
        #expect(counter.value("other") == 2)
        #expect(!metrics.exposition().contains("4711"))
    }

    @Test func `histogram buckets are cumulative and end with the count`() {
        let metrics = Metrics()
        let histogram = metrics.histogram("h_seconds", "H.", bounds: [0.1, 1])
        for value in [0.05, 0.1, 0.5, 7] { histogram.observe(value) }
        #expect(
            metrics.exposition() == """
                # HELP h_seconds H.
                # TYPE h_seconds histogram
                h_seconds_bucket{le="0.1"} 2
                h_seconds_bucket{le="1"} 3
                h_seconds_bucket{le="+Inf"} 4
                h_seconds_sum 7.65
                h_seconds_count 4

                """
        )
    }

    @Test func `label values and help are escaped`() {
        let metrics = Metrics()
        metrics.gauge("g", "Two\nlines.", labels: [MetricLabel("l", ["a\"b\\c\nd"])]).set(1, "a\"b\\c\nd")
        #expect(metrics.exposition().contains(#"# HELP g Two\nlines."#))
        #expect(metrics.exposition().contains(#"g{l="a\"b\\c\nd"} 1"#))
    }
}
