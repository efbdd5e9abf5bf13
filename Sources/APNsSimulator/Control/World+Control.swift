internal import JSONText

extension World {
    /// The control API (docs/simulator.md).
    mutating func control(_ request: ControlRequest, at now: Moment) -> ControlReply {
        do throws(ControlProblem) {
            return try route(request, at: now)
        } catch {
            return .problem(error)
        }
    }

    private mutating func route(_ request: ControlRequest, at now: Moment) throws(ControlProblem) -> ControlReply {
        if request.path.count <= 1, let page = ControlReply.page(request.path.first) {
            return try Self.get(request) { page }
        }
        let rest = Array(request.path.dropFirst())
        switch (request.path.first, rest.count) {
        case ("healthz", 0): return .json(["status": "ok"])
        case ("phones", 0): return try phones(request, at: now)
        case ("phones", 1): return try phone(rest[0], request, at: now)
        case ("phones", 2): return try act(rest[1], on: rest[0], request, at: now)
        case ("live", 0): return try live(request, at: now)
        case ("requests", 0): return try requestList(request)
        case ("accepted", 0): return try acceptedList(request)
        case ("summary", 0): return try summary(request, at: now)
        case ("violations", 0): return try violationList(request)
        case ("connections", 0): return try connectionList(request)
        case ("connections", 2): return try act(rest[1], onConnection: rest[0], request)
        case ("faults", 0): return try faults(request, at: now)
        case ("faults", 1): return try removeFault(rest[0], request)
        case ("clock", 0): return try clock(request, at: now)
        case ("settings", 0): return try settings(request)
        case ("apps", 0): return try addApp(request)
        case ("apps", 2) where rest[1] == "broadcast": return try setBroadcast(rest[0], request)
        case ("channels", 0): return try channelList(request)
        case ("keys", 0): return try addKey(request)
        case ("keys", 1): return try revokeKey(rest[0], request)
        case _: throw ControlProblem(404, "no such resource")
        }
    }

    static func get(_ request: ControlRequest, _ reply: () -> ControlReply) throws(ControlProblem) -> ControlReply {
        guard request.method == "GET" || request.method == "HEAD" else { throw notAllowed(request) }
        return reply()
    }

    static func notAllowed(_ request: ControlRequest) -> ControlProblem {
        ControlProblem(405, "\(request.method) means nothing here")
    }

    /// Turns the phones' clock forward, what is due by then happening at once, or sets how far APNs' clock is ahead.
    private mutating func clock(_ request: ControlRequest, at now: Moment) throws(ControlProblem) -> ControlReply {
        var now = now
        if request.method == "POST" {
            let longest = Rule<Int64>.longestSeconds
            var form = try Form(request.json())
            let step = try form.take("advanceSeconds", .seconds(0...max(0, longest - Double(advanced) / 1e6)))
            let ahead = try form.take("skewSeconds", .seconds(-longest...longest))
            try form.end()
            guard step != nil || ahead != nil else {
                throw form.problem("advanceSeconds", "or skewSeconds is needed")
            }
            advanced += step ?? 0
            now.phone += step ?? 0
            skew = ahead ?? skew
            sweep(at: now)
        }
        return .json([
            "now": .string(RFC3339.format(now.phone)),
            "advancedSeconds": .double(Double(advanced) / 1e6),
            "skewSeconds": .double(Double(skew) / 1e6),
        ])
    }
}
