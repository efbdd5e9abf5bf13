internal import Crypto
package import Postgres
internal import PostgresStore
package import Runtime

/// Takes lanes, keeps them, gives them back: who holds a lane's lease works it.
///
/// A process that dies loses its lanes after `life`; one that stops in order releases them at once.
package actor LaneKeeper: Service {
    package struct Settings: Sendable {
        package var life = Duration.seconds(6)
        package var renewal = Duration.seconds(2)
        package init() {}
    }

    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let pool: PostgresPool
    private let worker: Worker
    private let relays: RelayPump
    private let clock: DatabaseClock
    private let owner = UUID128.random()
    private let lanes: [Int32]
    private let settings: Settings
    private let failed: @Sendable (StaticString, any Error) -> Void

    package init(
        loop: EventLoop,
        pool: PostgresPool,
        worker: Worker,
        relays: RelayPump,
        clock: DatabaseClock,
        lanes: Int,
        settings: Settings = Settings(),
        failed: @escaping @Sendable (StaticString, any Error) -> Void
    ) {
        self.loop = loop
        self.pool = pool
        self.worker = worker
        self.relays = relays
        self.clock = clock
        self.lanes = (0..<Int32(lanes)).map(\.self)
        self.settings = settings
        self.failed = failed
    }

    package func run() async throws {
        while !Task.isCancelled {
            await renew()
            guard (try? await loop.sleep(for: settings.renewal)) != nil else { break }
        }
    }

    /// Gives every lane back, for a process that ends in order: after its pushes were answered.
    package func release() async {
        let held = Array(await worker.held.keys)
        for lane in held { await worker.drop(lane) }
        do {
            _ = try await pool.run(Leases.release(lanes: held, owner: owner, now: clock.now))
        } catch {
            failed("release", error)
        }
    }

    private func renew() async {
        do {
            let database = try await pool.run(Counters.databaseTime)
            clock.measured(database, at: .now)
            let terms = try await pool.run(
                Leases.take(lanes: lanes, owner: owner, now: database, span: settings.life.nanoseconds / 1000)
            )
            var ours: [Int32: Int64] = [:]
            for lane in terms { ours[lane.lane] = lane.term }
            try await take(ours)
        } catch {
            failed("lease", error)
        }
    }

    private func take(_ ours: [Int32: Int64]) async throws {
        let held = await worker.held
        for lane in held.keys where ours[lane] == nil { await worker.drop(lane) }
        let new = ours.filter { held[$0.key] != $0.value }
        guard !new.isEmpty else { return }
        let lanes = new.keys.sorted()
        let checkpoints = try await pool.run(Checkpoints.read(lanes: lanes))
        for checkpoint in checkpoints {
            guard let term = new[checkpoint.lane] else { continue }
            let (parked, owed) = try await pool.run(
                ParkedStreams.of(lane: checkpoint.lane),
                Relays.of(lane: checkpoint.lane, limit: 100_000)
            )
            await worker.take(
                checkpoint.lane,
                term: term,
                checkpoint: checkpoint.pos,
                parked: Set(parked.map { StreamAddress(app: $0.app, kind: $0.kind, stream: $0.stream).key })
            )
            await relays.add(checkpoint.lane, owed.map { Projection.PendingRelay($0) })
        }
    }
}

extension Projection.PendingRelay {
    /// A message that an earlier owner of the lane wrote and did not deliver.
    init(_ row: RelayRow) {
        self.init(
            key: RelayKey(pos: row.pos, number: row.number),
            app: row.app,
            relay: StoredRelay(kind: row.kind, stream: row.stream, type: row.type, body: row.body)
        )
    }
}
