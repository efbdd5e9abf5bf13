internal import HTTPServer
package import Runtime

/// Figures of the HTTP interface. Routes are labels, never what stands in their place in a path.
package struct RequestMetrics: Sendable {
    private let requests: Counter
    private let seconds: Histogram
    private let underWay: Gauge

    package init(_ metrics: Metrics) {
        let route = MetricLabel("route", Route.allCases.map(\.name))
        requests = metrics.counter(
            "doorstep_requests_total",
            "Requests by route and by the class of their answer; route `other`: no route has this path.",
            labels: [route, MetricLabel("status", ["2xx", "3xx", "4xx", "5xx"])]
        )
        seconds = metrics.histogram(
            "doorstep_request_seconds",
            "From a whole request to its answer, waits that the caller asked for included.",
            bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
            labels: [route]
        )
        underWay = metrics.gauge("doorstep_requests_under_way", "Requests that are not answered yet.")
    }

    func began() { underWay.add(1) }

    func ended(_ route: Route?, status: Int, after duration: Duration) {
        underWay.add(-1)
        let name = route?.name ?? MetricLabel.otherValue
        requests.add(1, name, "\(status / 100)xx")
        seconds.observe(duration.inSeconds, name)
    }
}

extension Route {
    /// As logs and figures call it.
    var name: String { "\(method) \(path)" }
}
