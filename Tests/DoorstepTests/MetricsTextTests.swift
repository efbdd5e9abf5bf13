import Testing

@testable import doorstep

struct MetricsTextTests {
    private static let text = """
        # HELP pushes_total Pushes.
        # TYPE pushes_total counter
        pushes_total{event="start",result="accepted"} 3
        pushes_total{event="end",result="accepted"} 4
        pushes_total{event="end",result="lost"} 1
        open 12
        delay_bucket{le="0.1"} 90
        delay_bucket{le="0.5"} 99
        delay_bucket{le="+Inf"} 100
        delay_sum 7
        delay_count 100
        """

    @Test func `samples are summed over the labels that are not named`() {
        let metrics = MetricsText(Self.text)
        #expect(metrics.sum("pushes_total") == 8)
        #expect(metrics.sum("pushes_total", ["result": "accepted"]) == 7)
        #expect(metrics.sum("open") == 12)
        #expect(metrics.sum("missing") == 0)
    }

    @Test func `a quantile is the bound of the bucket that reaches it`() {
        let metrics = MetricsText(Self.text)
        #expect(metrics.quantile(0.5, of: "delay") == 0.1)
        #expect(metrics.quantile(0.99, of: "delay") == 0.5)
        #expect(metrics.quantile(1, of: "delay") == .infinity)
        #expect(metrics.quantile(0.5, of: "missing") == nil)
    }
}
