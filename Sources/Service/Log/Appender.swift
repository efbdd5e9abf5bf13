package import Postgres
internal import PostgresStore
package import Runtime

/// The one way into the log: group commit by lane group.
///
/// All appends waiting at a moment go in one transaction per group (lanes modulo the number of groups), so that a
/// commit is shared by many callers and a held lane stops only its group. Callers get their answer after the commit.
package actor Appender: Service {
    package struct Settings: Sendable {
        /// Writing connections, hence transactions under way at once.
        package var groups = 8
        /// Facts in one transaction at most.
        package var batch = 500
        /// Facts that may wait before callers are turned away.
        package var queueLimit = 50_000
        package init() {}
    }

    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let pool: PostgresPool
    private let lanes: Int
    private let settings: Settings
    private let clock: DatabaseClock
    private var listener: (@Sendable (Int32, [LoggedFact]) -> Void)?
    private var queues: [AppendQueue]
    private var idle: [CheckedContinuation<Void, Never>?]
    private var waiting = 0
    /// Highest position seen per lane: a hint that prunes partitions.
    private var tails: [Int64]
    /// When the database last refused or did not answer, unless a commit has succeeded since.
    private var failedAt: MonotonicTime?
    private var stopping = false

    package init(
        loop: EventLoop,
        pool: PostgresPool,
        lanes: Int,
        settings: Settings = Settings(),
        clock: DatabaseClock
    ) {
        self.loop = loop
        self.pool = pool
        self.lanes = lanes
        self.settings = settings
        self.clock = clock
        queues = Array(repeating: AppendQueue(), count: settings.groups)
        idle = Array(repeating: nil, count: settings.groups)
        tails = Array(repeating: 0, count: lanes)
    }

    /// `listener` is told, on the loop, of every lane's committed facts in order of position.
    package func listen(_ listener: @escaping @Sendable (Int32, [LoggedFact]) -> Void) { self.listener = listener }

    /// Facts waiting for a commit.
    package var backlog: Int { waiting }

    /// Whether the newest commits failed, for instance of a full disk. After some seconds without another attempt nobody
    /// knows: then it says no, so that callers who were sent away come back and try.
    package var failsToCommit: Bool { failedAt.map { MonotonicTime.now < $0 + .seconds(5) } ?? false }

    /// Appends facts and answers, in their order, once each is committed or refused.
    package func append(_ facts: [NewFact]) async -> [AppendOutcome] {
        if facts.isEmpty { return [] }
        if waiting + facts.count > settings.queueLimit || stopping {
            return Array(repeating: .failed(.overloaded), count: facts.count)
        }
        return await withUnsafeContinuation { continuation in
            let call = AppendCall(count: facts.count, continuation)
            for (index, fact) in facts.enumerated() {
                let lane = fact.address.lane(of: lanes)
                let group = Int(lane) % settings.groups
                queues[group].add(AppendQueue.Entry(fact: fact, lane: lane, call: call, index: index))
                waiting += 1
                idle[group]?.resume()
                idle[group] = nil
            }
        }
    }

    package func run() async throws {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for index in 0..<settings.groups { group.addTask { await self.pump(index) } }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.stop() } }
        }
    }

    /// What was taken in is still committed; new calls are turned away.
    private func stop() {
        stopping = true
        for index in idle.indices {
            idle[index]?.resume()
            idle[index] = nil
        }
    }

    private func pump(_ group: Int) async {
        while true {
            if queues[group].isEmpty {
                if stopping { return }
                await withCheckedContinuation { idle[group] = $0 }
                continue
            }
            let batch = queues[group].take(settings.batch)
            waiting -= batch.reduce(0) { $0 + $1.entries.count }
            await commit(batch)
        }
    }

    // MARK: - One transaction

    private typealias Batch = [(lane: Int32, entries: [AppendQueue.Entry])]

    private func commit(_ batch: Batch) async {
        var attempt = 0
        while true {
            attempt += 1
            do {
                CrashPoint.appendBeforeCommit.reached()
                let now = clock.now
                let results = try await pool.runAll(batch.map { query($0.lane, $0.entries, now: now) })
                CrashPoint.appendAfterCommit.reached()
                failedAt = nil
                for ((lane, entries), results) in zip(batch, results) { settle(lane, entries, results, now: now) }
                return
            } catch {
                switch error.remedy {
                case .callAgain where attempt < 5: continue
                case .callAgain, .splitBatch, .reportBug: return await split(batch, .unstorable)
                case .rowBusy: return await split(batch, .busy)
                case .waitForDatabase, .outcomeUnknown:
                    failedAt = .now
                    return fail(batch, .databaseUnavailable)
                }
            }
        }
    }

    private func query(_ lane: Int32, _ entries: [AppendQueue.Entry], now: Int64) -> Query<[AppendResult]> {
        EventLog.append(
            lane: lane,
            hint: tails[Int(lane)],
            day: DatabaseClock.day(of: now),
            now: now,
            entries.map(\.fact.item)
        )
    }

    /// Lane by lane, then half by half, so that only what cannot be stored fails. A lane that is held is not halved.
    private func split(_ batch: Batch, _ failure: AppendFailure) async {
        if batch.count > 1 {
            for part in batch { await commit([part]) }
            return
        }
        guard let (lane, entries) = batch.first else { return }
        guard failure == .unstorable, entries.count > 1 else { return fail(batch, failure) }
        let half = entries.count / 2
        await commit([(lane, Array(entries[..<half]))])
        await commit([(lane, Array(entries[half...]))])
    }

    private func fail(_ batch: Batch, _ failure: AppendFailure) {
        for (_, entries) in batch {
            for entry in entries { entry.call.settle(entry.index, .failed(failure)) }
        }
    }

    private func settle(_ lane: Int32, _ entries: [AppendQueue.Entry], _ results: [AppendResult], now: Int64) {
        var fresh: [LoggedFact] = []
        for result in results {
            let entry = entries[result.index]
            let outcome = AppendOutcome(result, lane: lane)
            entry.call.settle(entry.index, outcome)
            guard case .appended(let position) = outcome else { continue }
            fresh.append(LoggedFact(entry.fact, at: position, recordedAt: now))
        }
        guard let last = fresh.map(\.pos).max() else { return }
        tails[Int(lane)] = max(tails[Int(lane)], last)
        listener?(lane, fresh.sorted { $0.pos < $1.pos })
    }
}
