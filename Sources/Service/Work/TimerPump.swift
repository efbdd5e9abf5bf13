internal import Postgres
internal import PostgresStore
package import Runtime
internal import Tracking

/// Turns timers that are due into facts of their orders' streams.
///
/// A fact's id names the generation of its timer, so a repeat after a crash is a duplicate. The row is put off, not
/// deleted: the projector deletes it or sets it anew when it folds the fact, so none is lost and none blocks others.
package actor TimerPump: Service {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Timers of one lane in one append.
    private static let batch = 500
    /// How long a timer whose fact was appended rests.
    private static let putOff: Int64 = 30_000_000

    private let pool: PostgresPool
    private let appender: Appender
    private let directory: Directory
    private let clock: DatabaseClock
    private let failed: @Sendable (StaticString, any Error) -> Void
    private var grace = OutageGrace()
    private var lanes: Set<Int32> = []
    private var waiter: CheckedContinuation<Void, Never>?
    private var stopping = false

    init(
        loop: EventLoop,
        pool: PostgresPool,
        appender: Appender,
        directory: Directory,
        clock: DatabaseClock,
        failed: @escaping @Sendable (StaticString, any Error) -> Void
    ) {
        self.loop = loop
        self.pool = pool
        self.appender = appender
        self.directory = directory
        self.clock = clock
        self.failed = failed
    }

    /// The database answered just now, and said in which lanes timers are due.
    func due(in found: [Int32]) {
        grace.databaseAnswered(at: clock.now)
        lanes.formUnion(found)
        if !lanes.isEmpty { wake() }
    }

    package func run() async throws {
        await withTaskCancellationHandler {
            while !stopping {
                guard let lane = lanes.popFirst() else {
                    await withCheckedContinuation { waiter = $0 }
                    continue
                }
                await ring(lane)
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.stop() } }
        }
    }

    private func stop() {
        stopping = true
        wake()
    }

    private func wake() {
        waiter?.resume()
        waiter = nil
    }

    private func ring(_ lane: Int32) async {
        do {
            let now = clock.now
            let waiting = grace.waitingKinds(at: now).map(\.rawValue)
            let rows = try await pool.run(Timers.due(lane: lane, now: now, limit: Self.batch, without: waiting))
            let due = rows.compactMap { row in fact(row, at: now).map { (row: row, fact: $0) } }
            guard !due.isEmpty else { return }
            let outcomes = await appender.append(due.map(\.fact))
            let rung = zip(due, outcomes).filter { !$0.1.isFailed }.map(\.0.row)
            _ = try await pool.runAll(Timers.postpone(lane: lane, rung, until: now + Self.putOff))
        } catch {
            failed("ring timers", error)
        }
    }

    /// nil while this process does not know the app or the kind: its row waits for one that does.
    private func fact(_ row: TimerRow, at now: Int64) -> NewFact? {
        guard let source = directory.own(.timer, app: row.key.app), let kind = TimerKind(rawValue: row.key.kind) else {
            return nil
        }
        let timer = TimerRang(
            device: row.key.device.value.isEmpty ? nil : row.key.device,
            incarnation: row.key.incarnation,
            kind: kind,
            generation: Int(row.generation),
            at: Instant(microseconds: now)
        )
        return NewFact(
            StreamAddress(app: row.key.app, kind: .order, stream: row.key.order.value),
            source: source.number,
            id: TimerFactCodec.id(timer),
            type: FactType.timerRang,
            body: TimerFactCodec.body(timer)
        )
    }
}
