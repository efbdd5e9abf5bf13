internal import Crypto
package import Postgres
internal import PostgresStore
internal import PushDelivery
package import Runtime
internal import Tracking

/// Claims due intentions, sends them, and records what APNs said as facts.
///
/// At most one push per card is under way. A claim is committed before its first byte leaves; what is no longer true at
/// that moment is not claimed.
package actor Sender: Service {
    package struct Settings: Sendable {
        /// Claiming transactions under way at once.
        package var claimers = 3
        /// Claims in one transaction at most.
        package var batch = 128
        /// Pushes under way at once.
        package var pushes = 1000
        /// After this a claim without an outcome counts as lost. Longer than any request may take.
        package var claimLife = Duration.seconds(30)
        /// A claim that is older goes back unsent: this process may have slept, and another one may have sent since.
        package var sendWithin = Duration.seconds(10)
        package var sweepInterval = Duration.seconds(2)
        package init() {}
    }

    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let pool: PostgresPool
    private let outcomes: OutcomeRecorder
    private let worker: Worker
    private let directory: Directory
    private let vault: Vault
    private let gateway: any PushGateway
    private let clock: DatabaseClock
    private let lanes: Int
    private let settings: Settings
    private let failed: @Sendable (StaticString, any Error) -> Void

    private var queue = SlotQueue()
    private var claiming = 0
    private var waiter: CheckedContinuation<Void, Never>?
    private var alarm: EventLoop.TimerID?
    private var stopping = false

    package init(
        loop: EventLoop,
        pool: PostgresPool,
        outcomes: OutcomeRecorder,
        worker: Worker,
        directory: Directory,
        vault: Vault,
        gateway: any PushGateway,
        clock: DatabaseClock,
        lanes: Int,
        settings: Settings = Settings(),
        failed: @escaping @Sendable (StaticString, any Error) -> Void
    ) {
        self.loop = loop
        self.pool = pool
        self.outcomes = outcomes
        self.worker = worker
        self.directory = directory
        self.vault = vault
        self.gateway = gateway
        self.clock = clock
        self.lanes = lanes
        self.settings = settings
        self.failed = failed
    }

    /// Intentions waiting here, and pushes under way.
    package var load: (waiting: Int, sending: Int) { (queue.count, queue.takenCount) }

    /// Intentions that were written, or found by a sweep.
    package func offer(_ hints: [SlotHint]) {
        for hint in hints { queue.add(hint) }
        wake()
    }

    package func run() async throws {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.sweep() }
                while let batch = await nextBatch() {
                    group.addTask { await self.claimAndSend(batch) }
                }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.stop() } }
        }
    }

    // MARK: - Waiting

    /// Claims nothing more; what is under way is answered and recorded.
    private func stop() {
        stopping = true
        wake()
    }

    private func wake() {
        waiter?.resume()
        waiter = nil
    }

    private func nextBatch() async -> [SlotHint]? {
        while !stopping {
            if claiming < settings.claimers, queue.takenCount < settings.pushes {
                let due = queue.takeDue(at: clock.now, limit: settings.batch)
                if !due.isEmpty {
                    claiming += 1
                    return due
                }
                if let next = queue.nextDue { setAlarm(next) }
            }
            await withCheckedContinuation { waiter = $0 }
        }
        return nil
    }

    private func setAlarm(_ due: Int64) {
        if let alarm { loop.cancel(alarm) }
        alarm = loop.schedule(after: .microseconds(max(0, due - clock.now) + 1000)) { [weak self] in
            guard let self else { return }
            self.assumeIsolated { $0.wake() }
        }
    }

    // MARK: - Claiming

    private func claimAndSend(_ batch: [SlotHint]) async {
        let deadline = MonotonicTime.now + settings.sendWithin
        // Apart from each other: a claim that fails must not take those with it that were committed.
        let claimed = await claim(batch.filter { !$0.isAside }) + claim(batch.filter(\.isAside))
        claiming -= 1
        let claimedCards = Set(claimed.map(\.card))
        for hint in batch where !claimedCards.contains(hint.card) { _ = queue.giveBack(hint.card) }
        wake()
        await withDiscardingTaskGroup { group in
            for push in claimed { group.addTask { await self.send(push, before: deadline) } }
        }
    }

    private func claim(_ batch: [SlotHint]) async -> [ClaimedPush] {
        let now = clock.now
        var byLane: [Int32: ClaimBatch] = [:]
        for hint in batch {
            guard isOpen(hint), let term = await worker.sendingTerm(hint.lane, now: now) else {
                postpone(hint)
                continue
            }
            byLane[hint.lane, default: ClaimBatch(lane: hint.lane, term: term)].add(hint)
        }
        guard !byLane.isEmpty else { return [] }
        let claims = byLane.values.sorted { $0.lane < $1.lane }
        do {
            let transaction = ClaimTransaction(
                pool: pool,
                directory: directory,
                vault: vault,
                lanes: lanes,
                now: now,
                until: now + settings.claimLife.nanoseconds / 1000
            )
            return batch.allSatisfy(\.isAside)
                ? try await transaction.claimAside(claims) : try await transaction.run(claims)
        } catch {
            failed("claim", error)
            for hint in batch { postpone(hint) }
            return []
        }
    }

    private func isOpen(_ hint: SlotHint) -> Bool {
        guard let app = directory.app(hint.card.app) else { return false }
        return gateway.isOpen(app)
    }

    /// A lane that catches up, a gateway that is closed: look again soon.
    private func postpone(_ hint: SlotHint) {
        queue.add(
            SlotHint(
                lane: hint.lane,
                card: hint.card,
                revision: hint.revision,
                verb: hint.verb,
                attempt: hint.attempt,
                dueAt: clock.now + 500_000
            )
        )
    }

    // MARK: - Sending

    private func send(_ push: ClaimedPush, before deadline: MonotonicTime) async {
        defer {
            if queue.giveBack(push.card) || queue.takenCount == settings.pushes - 1 { wake() }
        }
        guard let app = directory.app(push.card.app) else { return }
        guard MonotonicTime.now < deadline else { return await outcomes.record(push, Delivery(Self.tooLate)) }
        guard !push.isSpent else { return await outcomes.record(push, Delivery(Self.tooOld)) }
        let delivery = await gateway.send(push, app: app, now: Instant(microseconds: clock.now))
        CrashPoint.sendAfterAccept.reached()
        await outcomes.record(push, delivery)
    }

    private static let tooLate = PushOutcome.refused(
        status: 0,
        reason: "claimTooOld",
        remedy: .retry,
        deadSince: nil
    )

    private static let tooOld = PushOutcome.refused(
        status: 0,
        reason: "alertTooOld",
        remedy: .drop,
        deadSince: nil
    )

    // MARK: - Sweeping

    /// Finds what hints missed: slots of lanes just taken, claims of processes that died.
    private func sweep() async {
        while !stopping {
            guard (try? await loop.sleep(for: settings.sweepInterval)) != nil else { return }
            await sweepOnce()
        }
    }

    package func sweepOnce() async {
        let held = await worker.held
        guard !held.isEmpty else { return }
        do {
            let now = clock.now
            for work in try await pool.run(LaneWork.pending(lanes: Array(held.keys), now: now)) {
                if work.hasDueSlots { try await offerDue(work.lane, now: now) }
                if work.hasLostClaims { try await recordLost(work.lane, now: now) }
            }
        } catch {
            failed("sweep", error)
        }
    }

    private func offerDue(_ lane: Int32, now: Int64) async throws {
        let due = try await pool.run(Claims.due(lane: lane, now: now, limit: settings.batch))
        offer(due.map { SlotHint($0, lane: lane) }.filter { !queue.isTaken($0.card) })
    }

    private func recordLost(_ lane: Int32, now: Int64) async throws {
        for slot in try await pool.run(Claims.lost(lane: lane, now: now, limit: settings.batch)) {
            do {
                guard let lost = try LostClaim(slot), !queue.isTaken(lost.card) else { continue }
                await outcomes.recordLost(lost)
            } catch {
                failed("lost claim", error)
            }
        }
    }
}

extension SlotHint {
    init(_ slot: DueSlot, lane: Int32) {
        self.init(
            lane: lane,
            card: slot.key.card,
            revision: slot.rev,
            verb: slot.verb,
            attempt: slot.attempt,
            dueAt: slot.dueAt
        )
    }
}
