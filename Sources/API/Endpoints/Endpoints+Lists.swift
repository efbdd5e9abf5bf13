internal import HTTPServer
internal import JSONText
internal import Service
internal import Tracking

/// Lists: pages of JSON, or all of them as CSV or JSON Lines.
extension Endpoints {
    /// What a list consists of.
    struct List<Item: Sendable>: Sendable {
        let cursor: Cursor.List
        /// The members of each item, in the order of a table.
        let columns: [String]
        let json: @Sendable (Item) -> JSONObject
        /// nil: what it is a list of is not known.
        let fetch: @Sendable (Page) async throws(Unavailable) -> Slice<Item>?
    }

    func answer<Item>(_ call: Call, _ list: List<Item>) async throws(Problem) -> HTTPResponse {
        let format = ListFormat(accept: call.request.headers.first("accept"))
        var page = try call.query.page(of: list.cursor)
        guard format != .page else {
            let slice = try await asking { () async throws(Unavailable) in try await list.fetch(page) }
            guard let slice else { throw Self.unknownOrder }
            return .json([
                "items": .array(slice.items.map { .object(list.json($0)) }),
                "next": .optional(slice.next.map { Cursor.encode($0, for: list.cursor) }),
            ])
        }
        page.limit = Page.limits.upperBound
        let asked = page
        let first = try await asking { () async throws(Unavailable) in try await list.fetch(asked) }
        guard let first else { throw Self.unknownOrder }
        return HTTPResponse(
            status: 200,
            headers: [
                HTTPField("Content-Type", format == .csv ? "text/csv; charset=utf-8" : "application/jsonl"),
                HTTPField("Content-Disposition", "attachment"),
            ],
            body: .stream { writer in
                if format == .csv { try await writer.write(CSV.line(list.columns)) }
                var (slice, page) = (first, asked)
                while true {
                    try await writer.write(slice.items.map { list.line($0, format) }.joined())
                    guard let next = slice.next else { return }
                    page.after = next
                    // A list that ends early must not look whole: the connection is cut instead.
                    guard let rest = try await list.fetch(page) else { throw Unavailable(.databaseUnavailable) }
                    slice = rest
                }
            }
        )
    }

    /// `reference=TEXT`, or any of `phase`, `restaurant`, `flag`, `open`, `from`, `to` and `quiet`.
    func listOrders(_ call: Call) async throws(Problem) -> HTTPResponse {
        let caller = try call.caller
        let search = try call.query.orderSearch(now: call.receivedAt)
        let orders = ports.orders
        let cursor: Cursor.List = if case .reference = search { .foundOrders } else { .orders }
        return try await answer(
            call,
            List(cursor: cursor, columns: OrderSummary.columns, json: { $0.json }) { page throws(Unavailable) in
                try await orders.search(search, page: page, caller: caller)
            }
        )
    }

    func listParked(_ call: Call) async throws(Problem) -> HTTPResponse {
        let caller = try call.caller
        let orders = ports.orders
        return try await answer(
            call,
            List(cursor: .parked, columns: ParkedEntry.columns, json: { $0.json }) { page throws(Unavailable) in
                try await orders.parked(page: page, caller: caller)
            }
        )
    }

    func listQuarantined(_ call: Call) async throws(Problem) -> HTTPResponse {
        let caller = try call.caller
        let orders = ports.orders
        return try await answer(
            call,
            List(cursor: .quarantined, columns: QuarantinedEntry.columns, json: { $0.json }) {
                page throws(Unavailable) in
                try await orders.quarantined(page: page, caller: caller)
            }
        )
    }
}

extension Endpoints.List {
    fileprivate func line(_ item: Item, _ format: ListFormat) -> String {
        let object = json(item)
        guard format == .csv else { return String(decoding: JSON.object(object).serialized(), as: UTF8.self) + "\n" }
        return CSV.line(columns.map { CSV.cell(object[$0]) })
    }
}

extension Query {
    fileprivate func orderSearch(now: Int64) throws(Problem) -> OrderSearch {
        let filters = ["phase", "restaurant", "flag", "open", "from", "to", "quiet"]
        if let text = self["reference"] {
            guard (1...255).contains(text.utf8.count), !text.hasNul else {
                throw Problem(.invalidRequest, faults: [Fault("query:reference", .length, "Must have 1 to 255 bytes.")])
            }
            if let other = filters.first(where: { self[$0] != nil }) {
                let detail = "Stands beside reference, which is asked for alone."
                throw Problem(.invalidRequest, faults: [Fault("query:\(other)", .unsupported, detail)])
            }
            return .reference(text)
        }
        var filter = OrderFilter()
        filter.restaurant = self["restaurant"]
        filter.phase = try choice("phase", Phase.allCases.map { ($0.name, $0) })
        filter.flags = try choice("flag", Order.Flags.named) ?? []
        filter.isOpen = try flag("open")
        filter.from = try time("from") ?? filter.from
        filter.to = try time("to") ?? filter.to
        filter.quietSince = try integer("quiet", in: 1...31_536_000).map { now - Int64($0) * 1_000_000 }
        return .filter(filter)
    }

    private func choice<Value>(_ name: String, _ choices: [(String, Value)]) throws(Problem) -> Value? {
        guard let text = self[name] else { return nil }
        if let choice = choices.first(where: { $0.0 == text }) { return choice.1 }
        let words = choices.map(\.0).joined(separator: ", ")
        throw Problem(.invalidRequest, faults: [Fault("query:\(name)", .choice, "Must be one of \(words).")])
    }
}
