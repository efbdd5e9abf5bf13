internal import Crypto
package import Postgres
internal import PostgresStore
package import Tracking

/// An order as it stands, read back for people and programs.
package struct OrderSnapshot: Sendable {
    package let stream: OrderStream
    /// Of the newest fact in the log, folded or not.
    package let version: Int
    /// The newest version up to which everything is done that can be done now.
    package let settledVersion: Int
}

/// Reads orders, their facts and what was decided beside them.
package struct OrderReader: Sendable {
    let pool: PostgresPool
    let directory: Directory
    let clock: DatabaseClock
    private let lanes: Int

    package init(pool: PostgresPool, directory: Directory, clock: DatabaseClock, lanes: Int) {
        self.pool = pool
        self.directory = directory
        self.clock = clock
        self.lanes = lanes
    }

    package func address(app: Int32, _ order: OrderID) -> StreamAddress {
        StreamAddress(app: app, kind: .order, stream: order.value)
    }

    /// nil: nothing is known of it.
    ///
    /// Slots are read first and the stream's head last: whatever happens between makes the order look less settled, never
    /// more.
    package func order(app: Int32, _ order: OrderID) async throws -> OrderSnapshot? {
        let address = address(app: app, order)
        let lane = address.lane(of: lanes)
        let key = [OrderKey(app: app, order: order)]
        let (slots, orders, activities, heads) = try await pool.run(
            Slots.ofOrders(lane: lane, key),
            Orders.load(lane: lane, key),
            Activities.ofOrders(lane: lane, key),
            EventLog.heads(lane: lane, keys: [address.key])
        )
        guard let head = heads.first else { return nil }
        let entry = try StreamLoader.entries(orders, activities)[key[0]]
        let stream = entry?.stream ?? OrderStream(id: order)
        let policy = directory.app(app)?.policy ?? Policy()
        let isBusy =
            slots.contains { $0.claim != nil }
            || stream.hasPending(at: Instant(microseconds: clock.now), tokenWait: policy.tokenWait)
        let version = Int(head.version)
        return OrderSnapshot(
            stream: stream,
            version: version,
            settledVersion: isBusy ? stream.settledVersion : stream.version
        )
    }

    /// Facts of the order's stream after a position, in the order of the log.
    package func facts(
        app: Int32,
        _ order: OrderID,
        after pos: Int64 = 0,
        limit: Int = 10_000
    ) async throws -> [LoggedFact] {
        let address = address(app: app, order)
        let facts = try await pool.run(
            EventLog.stream(
                lane: address.lane(of: lanes),
                app: app,
                kind: .order,
                stream: order.value,
                streamKey: address.key,
                after: pos,
                limit: limit
            )
        )
        .map { LoggedFact($0) }
        // A process that has just begun, or another than the one that took them in, may not know who sent them.
        if facts.contains(where: { directory.source($0.source) == nil }) {
            try await SourceRegistry(pool: pool, directory: directory).load()
        }
        return facts
    }

    /// The partner facts of an order in their final fold.
    package func fold(app: Int32, _ facts: [LoggedFact]) throws -> [FoldedFact] {
        Order.fold(try Projection(directory: directory).partnerFacts(facts)).facts
    }

    /// What was decided when facts were folded, by position.
    package func decisions(app: Int32, _ order: OrderID, at positions: [Int64]) async throws -> [Int64: EffectRecord] {
        let lane = address(app: app, order).lane(of: lanes)
        var records: [Int64: EffectRecord] = [:]
        for row in try await pool.run(Effects.of(lane: lane, positions: positions)) {
            records[row.pos] = EffectRecord(policy: Int(row.policy), items: row.items)
        }
        return records
    }
}

/// The decisions beside one fact, as recorded.
package struct EffectRecord: Sendable {
    package let policy: Int
    /// JSON, see `DecisionCodec`.
    package let items: [UInt8]

    package init(policy: Int, items: [UInt8]) {
        self.policy = policy
        self.items = items
    }
}
