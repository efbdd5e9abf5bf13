package import HTTPServer
package import Runtime

/// Stands between the server and the endpoints: lets no more in than can be answered, and gives every request its id,
/// its line in the log, its figures, and its answer the headers that protect who reads it.
package struct Edge: Sendable {
    private static let slow = Duration.seconds(1)
    private static let probes = Route.allCases.filter(\.isProbe).map(\.path)

    private let endpoints: Endpoints
    private let limits: RequestLimits
    private let metrics: RequestMetrics
    private let log: Log
    private let underWay = Locked(0)

    package init(_ endpoints: Endpoints, limits: RequestLimits, metrics: RequestMetrics, log: Log) {
        self.endpoints = endpoints
        self.limits = limits
        self.metrics = metrics
        self.log = log
    }

    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        let began = MonotonicTime.now
        var trail = Trail(request, proxies: limits.proxies)
        metrics.began()
        let count = underWay.withLock { count in
            count += 1
            return count
        }
        let answer =
            if count > limits.underWay, !Self.probes.contains(request.path) {
                Result<HTTPResponse, Problem>.failure(Problem(.overloaded, extra: .retryAfter(1)))
            } else {
                await endpoints.answer(to: request, &trail)
            }
        underWay.withLock { $0 -= 1 }
        let response = answer.response(trail)
        let duration = MonotonicTime.now - began
        metrics.ended(trail.route, status: response.status, after: duration)
        note(request, response, trail, duration)
        return response
    }

    /// The answer to a request that the server refused before any handler saw it.
    package func respond(to fault: HTTPFault) -> HTTPResponse {
        Result<HTTPResponse, Problem>.failure(Problem(fault)).response(nil)
    }

    private func note(_ request: HTTPRequest, _ response: HTTPResponse, _ trail: Trail, _ duration: Duration) {
        switch limits.accessLog {
        case .off: return
        case .problems: guard response.status >= 400 || duration > Self.slow else { return }
        case .all: break
        }
        var answered = 0
        if case .bytes(let bytes) = response.body { answered = bytes.count }
        log.info(
            "request",
            [
                "request": LogValue(trail.id), "route": LogValue(trail.route?.name ?? "none"),
                "status": LogValue(response.status), "seconds": .seconds(duration), "by": LogValue(trail.actor ?? ""),
                "received": LogValue(request.body.count), "answered": LogValue(answered),
                "trace": LogValue(TraceParent(request.headers.first("traceparent"))?.traceID ?? ""),
            ]
        )
    }
}

extension Result<HTTPResponse, Problem> {
    /// The answer with its id, what is left of the allowance, and the headers that every answer has.
    fileprivate func response(_ trail: Trail?) -> HTTPResponse {
        var response: HTTPResponse
        switch self {
        case .success(let made): response = made
        case .failure(let problem): response = .problem(problem, request: trail?.id)
        }
        if let trail { response.headers.append(HTTPField("X-Request-Id", trail.id)) }
        if let quota = trail?.quota { response.headers += quota.fields }
        let headers = HTTPHeaders(response.headers)
        for field in protection where headers.first(field.name) == nil { response.headers.append(field) }
        return response
    }
}

/// Answers are data, never pages of ours with something foreign in them; and they depend on the key and the moment.
private let protection = [
    HTTPField("Cache-Control", "no-store"),
    HTTPField("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    HTTPField("Cross-Origin-Resource-Policy", "same-origin"),
    HTTPField("Referrer-Policy", "no-referrer"),
    HTTPField("X-Content-Type-Options", "nosniff"),
]
