internal import Crypto
package import Postgres
internal import PostgresStore
internal import Tracking

/// One step of one lane: read its next facts, fold them, write everything that follows in one transaction.
package struct Projector: Sendable {
    /// What a step did.
    struct Step: Sendable {
        var memory: LaneMemory
        /// Offered facts that were not folded in this step.
        var rest: [LoggedFact] = []
        /// More facts are known to wait in the log.
        var hasMore = false
        /// Receive time of the newest fact folded.
        var newest: Int64?
        var slots: [SlotHint] = []
        var relays: [Projection.PendingRelay] = []
        var orders: [(StreamAddress, settled: Int)] = []
    }

    private let pool: PostgresPool
    private let directory: Directory
    private let sources: SourceRegistry
    private let lanes: Int

    /// `pool` may commit asynchronously: rows and checkpoint move together.
    package init(pool: PostgresPool, directory: Directory, sources: SourceRegistry, lanes: Int) {
        self.pool = pool
        self.directory = directory
        self.sources = sources
        self.lanes = lanes
    }

    /// Folds the next facts of a lane; those offered are used when they follow the checkpoint without a gap.
    func step(
        _ memory: LaneMemory,
        offered: [LoggedFact],
        delivered: [RelayKey],
        limit: Int
    ) async throws -> Step {
        var step = Step(memory: memory)
        let facts = try await nextFacts(memory, offered, limit, into: &step)
        guard let last = facts.last else {
            _ = try await pool.runAll(Relays.delete(lane: memory.lane, delivered))
            return step
        }
        if facts.contains(where: { directory.source($0.source) == nil }) { try await sources.load() }
        var projection = Projection(directory: directory)
        try await load(facts, memory, into: &projection)
        for fact in facts { try await fold(fact, memory: &step.memory, into: &projection) }
        CrashPoint.projectBeforeCommit.reached()
        let write = ProjectionWrite(projection, lane: memory.lane, lanes: lanes)
        _ = try await pool.perform(
            write.calls(from: memory.checkpoint, to: last.pos, term: memory.term, delivered: delivered),
            within: nil
        )
        step.memory.checkpoint = last.pos
        step.newest = last.recordedAt
        write.remember(in: &step.memory)
        step.slots = write.hints
        step.relays = projection.relays
        step.orders = projection.orders.values.map { ($0.address, $0.after.stream.settledVersion) }
        return step
    }

    // MARK: - Reading

    private func nextFacts(
        _ memory: LaneMemory,
        _ offered: [LoggedFact],
        _ limit: Int,
        into step: inout Step
    ) async throws -> [LoggedFact] {
        let news = offered.drop { $0.pos <= memory.checkpoint }
        var expected = memory.checkpoint
        let usable = news.prefix { fact in
            expected += 1
            return fact.pos == expected
        }
        if !usable.isEmpty {
            step.rest = Array(news.dropFirst(min(usable.count, limit)))
            step.hasMore = !step.rest.isEmpty
            return Array(usable.prefix(limit))
        }
        step.rest = Array(news)
        let rows = try await pool.run(EventLog.after(lane: memory.lane, pos: memory.checkpoint, limit: limit))
        try EventLog.requireNoHole(rows, after: memory.checkpoint)
        step.hasMore = rows.count == limit
        return rows.map { LoggedFact($0) }
    }

    /// Brings every stream of the batch into memory that is not there yet. Before its first fact a stream has no rows.
    private func load(_ facts: [LoggedFact], _ memory: LaneMemory, into projection: inout Projection) async throws {
        var missing: [StreamAddress] = []
        var seen: Set<UUID128> = []
        for fact in facts {
            let address = fact.address
            guard seen.insert(address.key).inserted else { continue }
            // A parked order still has cards to tell the truth and to end.
            guard address.kind == .order || !memory.parked.contains(address.key) else { continue }
            let isNew = fact.version == 1
            switch address.kind {
            case .order:
                let known = memory.orders[address.key]
                if isNew || known != nil { projection.load(order: address, known) } else { missing.append(address) }
            case .device:
                let known = memory.devices[address.key]
                if isNew || known != nil { projection.load(device: address, known) } else { missing.append(address) }
            case .customer:
                let known = memory.customers[address.key]
                if isNew || known != nil { projection.load(customer: address, known) } else { missing.append(address) }
            case .token:
                if isNew { projection.load(token: address, nil) } else { missing.append(address) }
            }
        }
        guard !missing.isEmpty else { return }
        try await StreamLoader(pool: pool, lane: memory.lane).load(missing, into: &projection)
    }

    // MARK: - Folding

    private func fold(_ fact: LoggedFact, memory: inout LaneMemory, into projection: inout Projection) async throws {
        let address = fact.address
        let isParked = memory.parked.contains(address.key)
        if isParked, fact.kind != .order || projection.isOfPartner(fact) { return }
        do {
            switch fact.kind {
            case .order:
                let order = try projection.orderFact(fact)
                let history =
                    projection.accepts(address.key, order)
                    ? nil : try projection.partnerFacts(try await facts(of: address, upTo: fact.pos, memory.lane))
                try projection.fold(order: address.key, fact, order, history: history)
            case .device:
                try projection.fold(device: address.key, fact)
            case .customer:
                try projection.fold(customer: address.key, fact)
            case .token:
                try projection.fold(token: address, fact)
            }
        } catch let error as FactError {
            guard memory.parked.insert(address.key).inserted else { return }
            projection.park(address, at: fact, error)
        }
    }

    /// All facts of a stream up to a position: for events that arrive out of order.
    private func facts(of address: StreamAddress, upTo pos: Int64, _ lane: Int32) async throws -> [LoggedFact] {
        try await pool.run(
            EventLog.stream(
                lane: lane,
                app: address.app,
                kind: address.kind,
                stream: address.stream,
                streamKey: address.key
            )
        )
        .filter { $0.pos <= pos }
        .map { LoggedFact($0) }
    }

    // MARK: - Lanes

    func checkpoint(_ lane: Int32) async throws -> CheckpointRow? {
        try await pool.run(Checkpoints.read(lanes: [lane])).first
    }

    /// Lanes whose log goes on beyond their stored checkpoints, and those in which timers are due.
    func news(of lanes: [Int32], now: Int64) async throws -> (withFacts: [Int32], withTimers: [Int32]) {
        let rows = try await pool.run(LaneWork.pending(lanes: lanes, now: now))
        return (rows.filter(\.hasFacts).map(\.lane), rows.filter(\.hasDueTimers).map(\.lane))
    }
}
