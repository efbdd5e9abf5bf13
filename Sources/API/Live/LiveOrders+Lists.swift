internal import Crypto
internal import Postgres
internal import PostgresStore
internal import Service
internal import Tracking

/// Lists of orders, and of what waits for staff.
extension LiveOrders {
    package func search(
        _ search: OrderSearch,
        page: Page,
        caller: Caller
    ) async throws(Unavailable) -> Slice<OrderSummary> {
        let app = try service.app(caller).number
        let key = page.after.map { ListKey($0) }
        return try await service.reading { () async throws -> Slice<OrderSummary> in
            switch search {
            case .reference(let text):
                let after = key.map { OrderReader.ReferenceKey(value: $0.first, order: OrderID($0.second)) }
                let found = try await service.orders.orders(app: app, reference: text, after: after, limit: page.limit)
                let next = found.next.map { ListKey(first: $0.value, second: $0.order.value).bytes }
                return Slice(items: found.orders.map { OrderSummary($0) }, next: next)
            case .filter(let filter):
                let after = key.map {
                    OrderReader.PlacedKey(placedAt: Int64($0.first) ?? 0, order: OrderID($0.second))
                }
                let found = try await service.orders.orders(app: app, filter, after: after, limit: page.limit)
                let next = found.next.map { ListKey(first: String($0.placedAt), second: $0.order.value).bytes }
                return Slice(items: found.orders.map { OrderSummary($0) }, next: next)
            }
        }
    }

    package func parked(page: Page, caller: Caller) async throws(Unavailable) -> Slice<ParkedEntry> {
        let app = try service.app(caller).number
        let key = page.after.map { ListKey($0) }
        let lane = key.flatMap { Int32($0.first.dropLast()) } ?? -1
        let rows = try await service.reading {
            try await service.pool.run(
                ParkedStreams.list(
                    app: app,
                    afterLane: lane,
                    kind: key?.first.utf8.last ?? 0,
                    stream: key?.second ?? "",
                    limit: page.limit
                )
            )
        }
        let next = rows.last.map {
            ListKey(first: "\($0.lane)\(Character(Unicode.Scalar($0.kind.rawValue)))", second: $0.stream).bytes
        }
        return Slice(
            items: rows.map { row in
                ParkedEntry(
                    kind: "\(row.kind)",
                    stream: row.stream,
                    since: row.since,
                    fromVersion: Int(row.fromVersion),
                    reason: row.reason,
                    detail: row.detail
                )
            },
            next: rows.count == page.limit ? next : nil
        )
    }

    package func quarantined(page: Page, caller: Caller) async throws(Unavailable) -> Slice<QuarantinedEntry> {
        let app = try service.app(caller).number
        let cursor = page.after.flatMap { Quarantine.Cursor($0) } ?? .start
        let rows = try await service.reading {
            try await service.pool.run(Quarantine.open(app: app, after: cursor, limit: page.limit))
        }
        let next = rows.last.map { Quarantine.Cursor(lane: $0.lane, key: $0.key, print: $0.print).bytes }
        return Slice(
            items: rows.map { row in
                QuarantinedEntry(
                    order: row.stream,
                    source: service.directory.source(row.source)?.name ?? "",
                    type: row.type,
                    id: row.id,
                    times: Int(row.times),
                    firstAt: row.firstAt,
                    lastAt: row.lastAt
                )
            },
            next: rows.count == page.limit ? next : nil
        )
    }
}

/// Two texts as one key: neither holds U+0000.
private struct ListKey {
    let first: String
    let second: String

    init(first: String, second: String) {
        self.first = first
        self.second = second
    }

    init(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        first = String(decoding: parts[0], as: UTF8.self)
        second = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
    }

    var bytes: [UInt8] { Array(first.utf8) + [0] + Array(second.utf8) }
}

extension Quarantine.Cursor {
    fileprivate init?(_ bytes: [UInt8]) {
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard parts.count == 3, let lane = Int32(parts[0]), let key = UUID128(String(parts[1])),
            let print = UUID128(String(parts[2]))
        else { return nil }
        self.init(lane: lane, key: key, print: print)
    }

    fileprivate var bytes: [UInt8] { Array("\(lane) \(key) \(print)".utf8) }
}

extension OrderSummary {
    fileprivate init(_ listed: ListedOrder) {
        let order = listed.stream.order
        self.init(
            order: listed.stream.id,
            phase: order.phase,
            since: order.since?.microseconds,
            restaurant: order.restaurant?.id,
            placedAt: listed.placedAt,
            lastAt: listed.lastAt,
            closedAt: listed.closedAt,
            eta: order.eta?.microseconds,
            flags: order.flags,
            match: listed.match.map { Match(kind: "\($0.kind)", value: $0.value) }
        )
    }
}
