internal import HTTPServer
internal import JSONText
internal import Tracking

extension Endpoints {
    /// `settled=VERSION&wait=SECONDS`: answers once `settledVersion` is at least that, or after that long.
    func getOrder(_ call: Call) async throws(Problem) -> HTTPResponse {
        let order = try call.order
        let caller = try call.caller
        let standing = try await require(order, for: caller)
        var settlement: Settlement?
        let wait = try call.query.wait
        if let version = try call.query.integer("settled", in: 0...Int(Int32.max)) {
            settlement = Settlement(version: version, wait: wait)
        }
        let awaited = settlement
        let view = try await asking { () async throws(Unavailable) in
            try await ports.orders.order(order, awaiting: awaited, caller: caller)
        }
        guard var view else { throw Self.unknownOrder }
        if let standing { view.narrow(to: standing) }
        return .json(.object(view.json(for: caller)))
    }

    /// `view=full` (default): every fact with what was decided; `view=facts`: the partner facts in fold order.
    func getTimeline(_ call: Call) async throws(Problem) -> HTTPResponse {
        let (order, caller) = (try call.order, try call.caller)
        let orders = ports.orders
        switch call.query["view"] ?? "full" {
        case "full":
            return try await answer(
                call,
                List(cursor: .timeline, columns: TimelineEntry.columns, json: { $0.json }) { page throws(Unavailable) in
                    try await orders.timeline(of: order, page: page, caller: caller)
                }
            )
        case "facts":
            return try await answer(
                call,
                List(cursor: .facts, columns: FactEntry.columns, json: { $0.json }) { page throws(Unavailable) in
                    try await orders.facts(of: order, page: page, caller: caller)
                }
            )
        default:
            throw Problem(.invalidRequest, faults: [Fault("query:view", .choice, "Must be full or facts.")])
        }
    }

    /// `at=TIME`: as it stood then; `redecide=true`: beside each decision what today's policy would decide.
    func getExplanation(_ call: Call) async throws(Problem) -> HTTPResponse {
        let order = try call.order
        let caller = try call.caller
        let time = try call.query.time("at")
        if let time, time > call.receivedAt {
            throw Problem(.invalidRequest, faults: [Fault("query:at", .range, "Must not lie in the future.")])
        }
        let redecide = try call.query.flag("redecide")
        let view = try await asking { () async throws(Unavailable) in
            try await ports.orders.explanation(of: order, until: time, redecide: redecide, caller: caller)
        }
        guard let view else { throw Self.unknownOrder }
        return .json(.object(view.json(for: caller)))
    }

    func putOrderCustomer(_ call: Call) async throws(Problem) -> HTTPResponse {
        let order = try call.order
        let customer = CustomerID(try call.parameter("customer"))
        let caller = try call.caller
        if caller.customer != nil {
            throw Problem(
                .forbidden,
                "Customers are linked to orders by the partner or the app's backend, not by themselves."
            )
        }
        try await asking { () async throws(Unavailable) in
            try await ports.orders.link(order, to: customer, caller: caller)
        }
        return .json(["order": .string(order.value), "customer": .string(customer.value)])
    }

    static var unknownOrder: Problem { Problem(.notFound, "Nothing is known of this order in this app.") }
}
