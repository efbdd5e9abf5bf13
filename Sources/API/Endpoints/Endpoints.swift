internal import HTTPServer
internal import JSONText
package import Runtime

/// The HTTP interface: answers requests by way of the ports. Stateless; one value serves all connections.
package struct Endpoints: Sendable {
    let ports: Ports
    let events: EventCounters
    let log: Log
    /// Wall clock, microseconds since 1970 UTC.
    let now: @Sendable () -> Int64
    private let router = Router()
    private let gatekeeper: Gatekeeper
    let limiter: RateLimiter
    let devicesPerCustomer: Int

    package init(
        ports: Ports,
        events: EventCounters,
        limits: RequestLimits = RequestLimits(),
        log: Log = .silent,
        now: @escaping @Sendable () -> Int64 = { WallClock.microseconds },
        ticks: @escaping @Sendable () -> MonotonicTime = { .now }
    ) {
        self.ports = ports
        self.events = events
        self.log = log
        self.now = now
        gatekeeper = Gatekeeper(keys: ports.access)
        limiter = RateLimiter(limits, now: ticks)
        devicesPerCustomer = limits.devicesPerCustomer
    }

    /// The answer to a request, or the problem with it.
    func answer(to request: HTTPRequest, _ trail: inout Trail) async -> Result<HTTPResponse, Problem> {
        do throws(Problem) {
            let match = try router.match(method: request.method, path: request.path)
            trail.route = match.route
            let call = try await admit(request, match, &trail)
            return .success(try await answer(call, route: match.route))
        } catch {
            guard trail.quota == nil, Self.strangers.contains(error.kind) else { return .failure(error) }
            return .failure(counting(error, of: request, &trail))
        }
    }

    /// What those meet who try keys and paths.
    private static let strangers: Set<Problem.Kind> = [.unauthenticated, .forbidden, .notFound, .methodNotAllowed]

    /// Who shows no valid key is counted by address.
    private func counting(_ problem: Problem, of request: HTTPRequest, _ trail: inout Trail) -> Problem {
        do throws(Problem) {
            trail.quota = try limiter.takeAddress(of: request)
            return problem
        } catch {
            return error
        }
    }

    private func admit(
        _ request: HTTPRequest,
        _ match: Router.Match,
        _ trail: inout Trail
    ) async throws(Problem) -> Call {
        let receivedAt = now()
        let query = try Query(request.query)
        var caller: Caller?
        if case .roles(let roles) = match.route.access, match.route.needsKey(request.headers) {
            caller = try await gatekeeper.caller(
                authorization: request.headers.first("authorization"),
                app: query["app"],
                roles: roles,
                at: receivedAt
            )
            trail.actor = caller?.actor
        }
        if let caller {
            trail.quota = try limiter.take(.caller(caller.actor))
        } else if match.route.access == .open, !match.route.isProbe {
            trail.quota = try limiter.takeAddress(of: request)
        }
        return Call(
            request: request,
            parameters: match.parameters,
            query: query,
            admitted: caller,
            receivedAt: receivedAt
        )
    }

    private func answer(_ call: Call, route: Route) async throws(Problem) -> HTTPResponse {
        switch route {
        case .postEvents: try await postEvents(call)
        case .optionsEvents: handshake(call)
        case .postHook: try await postHook(call)
        case .getHook: try await getHook(call)
        case .listOrders: try await listOrders(call)
        case .listParked: try await listParked(call)
        case .listQuarantined: try await listQuarantined(call)
        case .getFeed: try await getFeed(call)
        case .getOrder: try await getOrder(call)
        case .getTimeline: try await getTimeline(call)
        case .getExplanation: try await getExplanation(call)
        case .putOrderCustomer: try await putOrderCustomer(call)
        case .postCommand: try await postCommand(call)
        case .askActivity: try await askActivity(call)
        case .putActivity: try await putActivity(call)
        case .postReport: try await postReport(call)
        case .getDevice: try await getDevice(call)
        case .putDevice: try await putDevice(call)
        case .deleteDevice: try await deleteDevice(call)
        case .postRunning: try await postRunning(call)
        case .health: .json(["status": "ok"])
        case .readiness: await readiness()
        case .metrics: await metrics()
        case .openAPI: Pages.openAPI
        case .index: Pages.index
        }
    }
}
