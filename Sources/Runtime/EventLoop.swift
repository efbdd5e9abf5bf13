private import CLinux
private import Glibc

/// One thread that waits for sockets and timers and runs everything that belongs to them.
///
/// The loop is a `SerialExecutor`, so that actors which own sockets are isolated to it, and has a `TaskExecutor` face
/// (`tasks`), so that their callers' tasks run on the same thread: nothing hops. Methods marked *on the loop* trap when
/// called from another thread.
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

    private struct Watch {
        let descriptor: Int32
        let handler: (Readiness) -> Void
    }

    private struct Job {
        let job: UnownedJob
        let isTask: Bool
    }

    private struct Remote {
        var jobs: [Job] = []
        var calls: [@Sendable () -> Void] = []
        var thread: pthread_t?
        var stopped = false
        var isEmpty: Bool { jobs.isEmpty && calls.isEmpty }
    }

    private let name: String
    private let epoll: Int32
    private let wakeUp: Int32
    private let remote = Locked(Remote())

    // Touched on the loop's thread only.
    private var jobs: [Job] = []
    private var turnEnds: [() -> Void] = []
    private var watches: [UInt64: Watch] = [:]
    private var timers = TimerHeap()
    private var lastID: UInt64 = 1
    private var running = false

    /// The face that tasks prefer: `Task(executorPreference: loop.tasks)`.
    package private(set) lazy var tasks = LoopTasks(loop: self)

    package init(name: String) throws(RuntimeError) {
        self.name = name
        epoll = epoll_create1(O_CLOEXEC)
        guard epoll >= 0 else { throw .systemCall("epoll_create1") }
        wakeUp = eventfd(0, O_CLOEXEC | O_NONBLOCK)
        guard wakeUp >= 0 else { throw .systemCall("eventfd") }
        var event = unsafe epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: 0))
        guard unsafe epoll_ctl(epoll, EPOLL_CTL_ADD, wakeUp, &event) == 0 else { throw .systemCall("epoll_ctl") }
        _ = tasks
    }

    deinit {
        close(epoll)
        close(wakeUp)
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
        push(Job(job: UnownedJob(job), isTask: false))
    }

    fileprivate func enqueueTask(_ job: consuming ExecutorJob) {
        push(Job(job: UnownedJob(job), isTask: true))
    }

    private func push(_ job: Job) {
        if isOnLoop {
            jobs.append(job)
            return
        }
        let first = remote.withLock { remote in
            let first = remote.isEmpty
            remote.jobs.append(job)
            return first
        }
        if first { wake() }
    }

    package func checkIsolated() { precondition(isOnLoop, "not on event loop \(name)") }
    package func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    /// Whether the caller stands on the loop's thread.
    package var isOnLoop: Bool { currentLoop.isCurrent(self) }

    /// Runs `body` on the loop, at once when already there.
    package func execute(_ body: @escaping @Sendable () -> Void) {
        if isOnLoop { return body() }
        let first = remote.withLock { remote in
            let first = remote.isEmpty
            remote.calls.append(body)
            return first
        }
        if first { wake() }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = unsafe write(wakeUp, &one, 8)
    }

    // MARK: - Descriptors (on the loop)

    /// Watches a descriptor, level-triggered unless `edgeTriggered`. The watch ends with `unwatch`, before the close.
    package func watch(
        _ descriptor: Int32,
        for interest: Readiness,
        edgeTriggered: Bool = false,
        _ handler: @escaping (Readiness) -> Void
    ) throws(RuntimeError) -> WatchID {
        checkIsolated()
        lastID += 1
        let id = WatchID(rawValue: lastID)
        try control(EPOLL_CTL_ADD, descriptor, id, interest, edgeTriggered: edgeTriggered)
        watches[id.rawValue] = Watch(descriptor: descriptor, handler: handler)
        return id
    }

    /// Changes what a watched descriptor is waited for.
    package func rearm(_ id: WatchID, for interest: Readiness, edgeTriggered: Bool = false) {
        checkIsolated()
        guard let watch = watches[id.rawValue] else { return }
        try? control(EPOLL_CTL_MOD, watch.descriptor, id, interest, edgeTriggered: edgeTriggered)
    }

    package func unwatch(_ id: WatchID) {
        checkIsolated()
        guard let watch = watches.removeValue(forKey: id.rawValue) else { return }
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, watch.descriptor, nil)
    }

    private func control(
        _ operation: Int32,
        _ descriptor: Int32,
        _ id: WatchID,
        _ interest: Readiness,
        edgeTriggered: Bool
    ) throws(RuntimeError) {
        var events = EPOLLRDHUP.rawValue
        if interest.contains(.readable) { events |= EPOLLIN.rawValue }
        if interest.contains(.writable) { events |= EPOLLOUT.rawValue }
        if edgeTriggered { events |= EPOLLET.rawValue }
        var event = unsafe epoll_event(events: events, data: epoll_data_t(u64: id.rawValue))
        guard unsafe epoll_ctl(epoll, operation, descriptor, &event) == 0 else { throw .systemCall("epoll_ctl") }
    }

    // MARK: - Timers and turns (on the loop)

    /// Runs `body` once, not before `delay` from now.
    @discardableResult
    package func schedule(after delay: Duration, _ body: @escaping () -> Void) -> TimerID {
        checkIsolated()
        lastID += 1
        timers.insert(id: lastID, at: MonotonicTime.now + delay, body)
        return TimerID(rawValue: lastID)
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
        var events = unsafe [epoll_event](repeating: epoll_event(), count: 256)
        while running {
            unsafe turn(&events)
        }
    }

    /// Ends `run()` after the present turn.
    package func stop() {
        execute { [self] in running = false }
    }

    private func turn(_ events: inout [epoll_event]) {
        let count = unsafe epoll_wait(epoll, &events, Int32(events.count), waitMilliseconds())
        for index in 0..<max(0, Int(count)) {
            unsafe dispatch(events[index])
        }
        let arrived = remote.withLock { remote in
            let arrived = remote
            remote.jobs.removeAll(keepingCapacity: false)
            remote.calls.removeAll(keepingCapacity: false)
            return arrived
        }
        for call in arrived.calls { call() }
        jobs.append(contentsOf: arrived.jobs)
        runJobs()
        let now = MonotonicTime.now
        while let body = timers.popDue(at: now) { body() }
        runJobs()
        while !turnEnds.isEmpty {
            let ends = turnEnds
            turnEnds.removeAll(keepingCapacity: true)
            for end in ends { end() }
            runJobs()
        }
    }

    private func dispatch(_ event: epoll_event) {
        let (id, events) = unsafe (event.data.u64, event.events)
        guard id != 0 else {
            var value: UInt64 = 0
            _ = unsafe read(wakeUp, &value, 8)
            return
        }
        guard let watch = watches[id] else { return }
        var readiness: Readiness = []
        if events & EPOLLIN.rawValue != 0 { readiness.insert(.readable) }
        if events & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue | EPOLLRDHUP.rawValue) != 0 {
            readiness.insert(.closed)
        }
        watch.handler(readiness)
    }

    /// Runs what stood in the queue at the start of the call and what those jobs added, up to a bound: sockets and
    /// timers must not starve behind tasks that keep waking each other.
    private func runJobs() {
        var rounds = 0
        while !jobs.isEmpty, rounds < 16 {
            rounds += 1
            let batch = jobs
            jobs.removeAll(keepingCapacity: true)
            for job in batch {
                if job.isTask {
                    unsafe job.job.runSynchronously(on: tasks.asUnownedTaskExecutor())
                } else {
                    unsafe job.job.runSynchronously(on: asUnownedSerialExecutor())
                }
            }
        }
    }

    private func waitMilliseconds() -> Int32 {
        if !jobs.isEmpty || !turnEnds.isEmpty { return 0 }
        guard let next = timers.next else { return -1 }
        let wait = next - MonotonicTime.now
        guard wait > .zero else { return 0 }
        let milliseconds = (wait.nanoseconds + 999_999) / 1_000_000
        return Int32(clamping: milliseconds)
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

/// Which loop the present thread runs, kept in thread-specific data.
private let currentLoop = CurrentLoop()

private struct CurrentLoop: Sendable {
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        self.key = key
    }

    func enter(_ loop: EventLoop) { unsafe pthread_setspecific(key, Unmanaged.passUnretained(loop).toOpaque()) }
    func leave() { pthread_setspecific(key, nil) }
    func isCurrent(_ loop: EventLoop) -> Bool {
        unsafe pthread_getspecific(key) == Unmanaged.passUnretained(loop).toOpaque()
    }
}
