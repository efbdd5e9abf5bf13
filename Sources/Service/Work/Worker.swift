internal import Crypto
internal import PostgresStore
package import Runtime
internal import Tracking

/// Works the lanes this process holds: folds their facts, decides, and passes on what follows.
///
/// One lane is in one hand at a time; several lanes are under way at once. A lane whose write failed is dropped from
/// memory and taken up again from its checkpoint.
package actor Worker: Service {
    package struct Settings: Sendable {
        /// Lanes folded at once.
        package var runners = 6
        /// Facts in one transaction at most.
        package var batch = 256
        /// Streams of one kind kept in memory per lane.
        package var memoryLimit = 4096
        /// How often lanes are looked at without a hint: for facts that other processes appended.
        package var pollInterval = Duration.milliseconds(100)
        package init() {}
    }

    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let projector: Projector
    private let clock: DatabaseClock
    private let settings: Settings
    private let listeners: WorkListeners
    private var lanes: [Int32: LaneMemory] = [:]
    private var inbox: [Int32: [LoggedFact]] = [:]
    private var busy: Set<Int32> = []
    private var dirty: [Int32] = []
    private var isDirty: Set<Int32> = []
    /// Receive time of the newest fact folded while more was known to wait, per lane.
    private var behind: [Int32: Int64] = [:]
    /// Relays that were appended; their rows are deleted with the lane's next transaction.
    private var delivered: [Int32: [RelayKey]] = [:]
    private var idle: [CheckedContinuation<Void, Never>] = []
    private var stopping = false

    package init(
        loop: EventLoop,
        projector: Projector,
        clock: DatabaseClock,
        settings: Settings = Settings(),
        listeners: WorkListeners
    ) {
        self.loop = loop
        self.projector = projector
        self.clock = clock
        self.settings = settings
        self.listeners = listeners
    }

    package func run() async throws {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for _ in 0..<settings.runners { group.addTask { await self.work() } }
                group.addTask { await self.poll() }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.stop() } }
        }
    }

    // MARK: - Lanes

    /// The lanes held now, with their terms.
    package var held: [Int32: Int64] { lanes.mapValues(\.term) }

    /// Takes up a lane at its checkpoint.
    func take(_ lane: Int32, term: Int64, checkpoint: Int64, parked: Set<UUID128>) {
        if lanes[lane]?.term == term { return }
        lanes[lane] = LaneMemory(lane: lane, term: term, checkpoint: checkpoint, parked: parked)
        inbox[lane] = nil
        // How far behind it is the first look will tell.
        behind[lane] = 0
        mark(lane)
    }

    /// Forgets a lane that was lost or is given away; a batch under way fails at its fence.
    package func drop(_ lane: Int32) {
        lanes[lane] = nil
        inbox[lane] = nil
        behind[lane] = nil
        delivered[lane] = nil
    }

    /// The term under which this process may send for a lane now; nil while it is not held or catches up: after an
    /// outage a phone must not hear every step that it missed.
    package func sendingTerm(_ lane: Int32, now: Int64) -> Int64? {
        guard let memory = lanes[lane] else { return nil }
        if let since = behind[lane], now - since > 5_000_000 { return nil }
        return memory.term
    }

    // MARK: - Hints

    /// Facts just committed to a lane, in order of position.
    package func offer(_ lane: Int32, _ facts: [LoggedFact]) {
        guard lanes[lane] != nil else { return }
        inbox[lane, default: []].append(contentsOf: facts)
        mark(lane)
    }

    private func mark(_ lane: Int32) {
        guard isDirty.insert(lane).inserted else { return }
        dirty.append(lane)
        idle.popLast()?.resume()
    }

    private func poll() async {
        while !stopping {
            guard (try? await loop.sleep(for: settings.pollInterval)) != nil else { return }
            do {
                for lane in delivered.keys { mark(lane) }
                let news = try await projector.news(of: Array(lanes.keys), now: clock.now)
                for lane in news.withFacts { mark(lane) }
                listeners.timers(news.withTimers)
            } catch {
                listeners.failed("poll", error)
            }
        }
    }

    private func stop() {
        stopping = true
        for waiter in idle { waiter.resume() }
        idle.removeAll()
    }

    // MARK: - Work

    private func work() async {
        while !stopping {
            guard let lane = nextLane() else {
                await withCheckedContinuation { idle.append($0) }
                continue
            }
            busy.insert(lane)
            await work(lane)
            busy.remove(lane)
            if !dirty.isEmpty { idle.popLast()?.resume() }
        }
    }

    /// The first dirty lane that nobody works on.
    private func nextLane() -> Int32? {
        guard let index = dirty.firstIndex(where: { !busy.contains($0) }) else { return nil }
        let lane = dirty.remove(at: index)
        isDirty.remove(lane)
        return lane
    }

    private func work(_ lane: Int32) async {
        guard let memory = lanes[lane] else { return }
        let offered = inbox.removeValue(forKey: lane) ?? []
        let gone = delivered.removeValue(forKey: lane) ?? []
        do {
            let step = try await projector.step(memory, offered: offered, delivered: gone, limit: settings.batch)
            guard lanes[lane]?.term == memory.term else { return }
            finish(lane, step)
        } catch {
            delivered[lane, default: []].append(contentsOf: gone)
            listeners.failed("project", error)
            await recover(lane, term: memory.term)
        }
    }

    private func finish(_ lane: Int32, _ step: Projector.Step) {
        var memory = step.memory
        memory.trim(limit: settings.memoryLimit)
        lanes[lane] = memory
        if !step.rest.isEmpty { inbox[lane] = step.rest + (inbox[lane] ?? []) }
        if step.hasMore || inbox[lane] != nil {
            behind[lane] = step.newest ?? behind[lane]
            mark(lane)
        } else {
            behind[lane] = nil
        }
        if !step.slots.isEmpty { listeners.slots(step.slots) }
        if !step.relays.isEmpty { listeners.relays(lane, step.relays) }
        if !step.orders.isEmpty { listeners.folded(step.orders) }
    }

    /// What memory says may differ from what is stored: start again from the stored checkpoint, if the lane is still
    /// ours.
    private func recover(_ lane: Int32, term: Int64) async {
        guard (try? await loop.sleep(for: .milliseconds(200))) != nil else { return }
        guard lanes[lane]?.term == term else { return }
        do {
            guard let stored = try await projector.checkpoint(lane), stored.term == term else { return drop(lane) }
            lanes[lane] = LaneMemory(
                lane: lane,
                term: term,
                checkpoint: stored.pos,
                parked: lanes[lane]?.parked ?? []
            )
            inbox[lane] = nil
        } catch {
            listeners.failed("recover", error)
        }
        mark(lane)
    }

    /// Relays that reached their lanes; their rows go with the lane's next transaction.
    func delivered(_ lane: Int32, _ keys: [RelayKey]) {
        guard lanes[lane] != nil else { return }
        delivered[lane, default: []].append(contentsOf: keys)
    }
}
