internal import JSONText
internal import Postgres
internal import PostgresStore
internal import Runtime
internal import Service

/// The feed, read from the log.
package struct LiveFeed: FeedPort {
    /// How often a reader that waits looks whether something came.
    private static let interval = Duration.milliseconds(250)
    /// After so long of passing over what is not the app's an empty page is answered, whose cursor is further on.
    private static let patience = Duration.seconds(2)

    private let service: LiveService

    package init(_ service: LiveService) { self.service = service }

    package func feed(
        after cursor: FeedCursor?,
        limit: Int,
        wait: Duration,
        caller: Caller
    ) async throws(Unavailable) -> FeedPage? {
        let app = try service.app(caller).number
        let deadline = MonotonicTime.now + wait
        var place = cursor
        while true {
            let asked = place
            let page = try await service.reading { () async throws -> (page: FeedPage, isAtEnd: Bool)? in
                let extents = try await service.pool.run(EventLog.extents(since: asked?.epoch ?? 0))
                guard var walk = FeedWalk(from: asked, extents) else { return nil }
                let items = try await items(along: &walk, app: app, limit: limit)
                return (FeedPage(items: items, next: walk.cursor), walk.isAtEnd)
            }
            guard let (page, isAtEnd) = page else { return nil }
            guard page.items.isEmpty, isAtEnd, deadline > .now,
                (try? await service.settlements.loop.sleep(for: min(Self.interval, deadline - .now))) != nil
            else { return page }
            place = page.next
        }
    }

    private func items(along walk: inout FeedWalk, app: Int32, limit: Int) async throws -> [FeedItem] {
        let own = OwnSource.allCases.compactMap { service.directory.own($0, app: app)?.number }
        let patience = MonotonicTime.now + Self.patience
        var rows: [EventRow] = []
        while !walk.isAtEnd, rows.count <= limit / 2, patience > .now {
            let room = limit - rows.count
            let stretches = walk.stretches(room: room)
            let found = try await service.pool.run(
                EventLog.orderFacts(app: app, within: stretches, except: own, limit: room + 1)
            )
            guard found.count <= room else {
                walk.shorten()
                continue
            }
            walk.pass(stretches, found: found.count)
            rows += found
        }
        // Another process may have been the first to hear of a source.
        if rows.contains(where: { service.directory.source($0.source) == nil }) { try await service.sources.load() }
        return rows.map { FeedItem($0, source: service.directory.source($0.source)?.name ?? "") }
    }
}

extension FeedItem {
    fileprivate init(_ row: EventRow, source: String) {
        var kept = (try? JSON.parse(row.body ?? []))?.objectValue ?? [:]
        if var data = kept["data"]?.objectValue, var courier = data["courier"]?.objectValue {
            courier["name"] = nil
            data["courier"] = .object(courier)
            kept["data"] = .object(data)
        }
        self.init(
            lane: Int(row.lane),
            pos: row.pos,
            id: row.id,
            source: source,
            type: row.type,
            subject: row.stream,
            occurredAt: row.occurredAt,
            recordedAt: row.recordedAt,
            traceParent: row.trace.map { String(decoding: $0, as: UTF8.self) },
            kept: kept
        )
    }
}
