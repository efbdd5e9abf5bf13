private import Glibc

/// One thread that waits for sockets and timers and runs everything that belongs to them.
///
/// The loop is a `SerialExecutor`, so that actors which own sockets are isolated to it, and has a `TaskExecutor` face
/// (`tasks`), so that their callers' tasks run on the same thread: nothing hops. Methods marked *on the loop* trap when
/// called from another thread.
///
/// `@unchecked Sendable`: whatever is not behind the lock of `remote` is touched on the loop's thread only.
@safe
package final class EventLoop: SerialExecutor, @unchecked Sendable {
    /// What a watched descriptor is ready for.
    package struct Readiness: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        package static let readable = Readiness(rawValue: 1)
        package static let writable = Readiness(rawValue: 2)
        /// The peer closed, or the descriptor failed: read to learn which.
        package static let closed = Readiness(rawValue: 4)
    }

    package struct WatchID: Hashable, Sendable { fileprivate let rawValue: UInt64 }
    package struct TimerID: Hashable, Sendable { fileprivate let rawValue: UInt64 }

    private let name: String
    private let remote: RemoteQueue
    private var poller: Poller
    private var timers = TimerHeap()
    /// Jobs for the next round, and those of the present one: two buffers that change places, so that none is allocated.
    private var jobs: [LoopJob] = []
    private var round: [LoopJob] = []
    private var turnEnds: [() -> Void] = []
    private var lastID: UInt64 = 0
    private var running = false

    /// The face that tasks prefer: `Task(executorPreference: loop.tasks)`.
    package private(set) lazy var tasks = LoopTasks(loop: self)

    package init(name: String) throws(RuntimeError) {
        self.name = name
        remote = try RemoteQueue()
        poller = try Poller()
        try poller.add(0, remote.wakeUp.number, for: .readable, edgeTriggered: false) { [unowned self] _ in takeRemote()
        }
        _ = tasks
    }

    /// Makes a loop and runs it on a thread of its own until `stop()`.
    package static func start(name: String) throws(RuntimeError) -> EventLoop {
        let loop = try EventLoop(name: name)
        let context = unsafe Unmanaged.passRetained(loop).toOpaque()
        var thread = pthread_t()
        let made = unsafe pthread_create(&thread, nil, runLoopThread, context)
        guard made == 0 else { throw RuntimeError(.systemCall, "pthread_create", errno: made) }
        pthread_detach(thread)
        return loop
    }

    // MARK: - Executor

    package func enqueue(_ job: consuming ExecutorJob) {
        push(LoopJob(job: UnownedJob(job), isTask: false))
    }

    fileprivate func enqueueTask(_ job: consuming ExecutorJob) {
        push(LoopJob(job: UnownedJob(job), isTask: true))
    }

    private func push(_ job: LoopJob) {
        if isOnLoop {
            jobs.append(job)
        } else {
            remote.add(job)
        }
    }

    package func checkIsolated() { precondition(isOnLoop, "not on event loop \(name)") }
    package func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    /// Whether the caller stands on the loop's thread.
    package var isOnLoop: Bool { currentLoop.isCurrent(self) }

    /// Runs `body` on the loop, at once when already there.
    package func execute(_ body: @escaping @Sendable () -> Void) {
        if isOnLoop {
            body()
        } else {
            remote.add(body)
        }
    }

    // MARK: - Descriptors (on the loop)

    /// Watches a descriptor, level-triggered unless `edgeTriggered`. The watch ends with `unwatch`, before the close.
    package func watch(
        _ descriptor: Int32,
        for interest: Readiness,
        edgeTriggered: Bool = false,
        _ handler: @escaping (Readiness) -> Void
    ) throws(RuntimeError) -> WatchID {
        let id = nextID()
        try poller.add(id, descriptor, for: interest, edgeTriggered: edgeTriggered, handler)
        return WatchID(rawValue: id)
    }

    /// Changes what a watched descriptor is waited for.
    package func rearm(_ id: WatchID, for interest: Readiness, edgeTriggered: Bool = false) {
        checkIsolated()
        poller.change(id.rawValue, to: interest, edgeTriggered: edgeTriggered)
    }

    package func unwatch(_ id: WatchID) {
        checkIsolated()
        poller.remove(id.rawValue)
    }

    private func nextID() -> UInt64 {
        checkIsolated()
        lastID += 1
        return lastID
    }

    // MARK: - Timers and turns (on the loop)

    /// Runs `body` once, not before `delay` from now.
    @discardableResult
    package func schedule(after delay: Duration, _ body: @escaping () -> Void) -> TimerID {
        let id = nextID()
        timers.insert(id: id, at: MonotonicTime.now + delay, body)
        return TimerID(rawValue: id)
    }

    package func cancel(_ id: TimerID) {
        checkIsolated()
        timers.remove(id: id.rawValue)
    }

    /// Runs `body` once at the end of this turn: the place to write what the turn has gathered.
    package func atTurnEnd(_ body: @escaping () -> Void) {
        checkIsolated()
        turnEnds.append(body)
    }

    // MARK: - Running

    /// Runs the loop on the calling thread until `stop()`.
    package func run() {
        currentLoop.enter(self)
        defer { currentLoop.leave() }
        running = true
        while running { turn() }
    }

    /// Ends `run()` after the present turn. What is enqueued later never runs.
    package func stop() {
        execute { [self] in running = false }
    }

    private func turn() {
        for index in 0..<poller.wait(milliseconds: waitMilliseconds()) {
            if let (handler, readiness) = poller.ready(index) { handler(readiness) }
        }
        runJobs()
        let now = MonotonicTime.now
        while let body = timers.popDue(at: now) { body() }
        runJobs()
        // What an end brings about may have ends of its own, such as a write; the rest waits for the next turn.
        for _ in 0..<4 where !turnEnds.isEmpty {
            let ends = turnEnds
            turnEnds = []
            for end in ends { end() }
            runJobs()
        }
    }

    private func takeRemote() {
        let contents = remote.take()
        for call in contents.calls { call() }
        jobs.append(contentsOf: contents.jobs)
    }

    /// Runs what stood in the queue at the start of the call and what those jobs added, up to a bound: sockets and
    /// timers must not starve behind tasks that keep waking each other.
    private func runJobs() {
        let (serial, tasks) = unsafe (asUnownedSerialExecutor(), tasks.asUnownedTaskExecutor())
        for _ in 0..<16 where !jobs.isEmpty {
            swap(&jobs, &round)
            for job in round {
                if job.isTask {
                    unsafe job.job.runSynchronously(on: tasks)
                } else {
                    unsafe job.job.runSynchronously(on: serial)
                }
            }
            round.removeAll(keepingCapacity: true)
        }
    }

    private func waitMilliseconds() -> Int32 {
        if !jobs.isEmpty || !turnEnds.isEmpty { return 0 }
        guard let next = timers.next else { return -1 }
        let wait = next - MonotonicTime.now
        guard wait > .zero else { return 0 }
        return Int32(clamping: (wait.nanoseconds + 999_999) / 1_000_000)
    }
}

/// The loop as a task executor; one type cannot well be both faces.
package final class LoopTasks: TaskExecutor {
    private unowned let loop: EventLoop

    fileprivate init(loop: EventLoop) { self.loop = loop }

    package func enqueue(_ job: consuming ExecutorJob) { loop.enqueueTask(job) }
}

private func runLoopThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let loop = unsafe Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue()
    loop.run()
    return nil
}
