private import CLinux
private import Glibc

/// A program started by this one, leader of a process group of its own.
///
/// The group keeps a Ctrl-C in the terminal from reaching it and lets `signal` reach what it started in turn.
package actor ChildProcess {
    /// How a program ended.
    package enum Exit: Hashable, Sendable {
        case code(Int32)
        case signal(Int32)
    }

    /// Also the id of its process group.
    package nonisolated let processID: Int32
    private nonisolated let loop: EventLoop
    private let handle: Descriptor
    private var watch: EventLoop.WatchID?
    private var exit: Exit?
    private var waiters: [CheckedContinuation<Exit, Never>] = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// Starts a program.
    ///
    /// - Throws: `systemCall` when it cannot be started, with the errno of `exec` where that failed.
    package static func start(_ program: Program, on loop: EventLoop) async throws(RuntimeError) -> ChildProcess {
        let processID = try program.spawn()
        let handle = pidfd_open(processID, 0)
        guard handle >= 0 else {
            let failure = RuntimeError.systemCall("pidfd_open")
            kill(-processID, SIGKILL)
            _ = waitpid(processID, nil, 0)
            throw failure
        }
        let child = ChildProcess(processID, Descriptor(owning: handle), loop)
        try await child.beginWatching()
        return child
    }

    private init(_ processID: Int32, _ handle: consuming Descriptor, _ loop: EventLoop) {
        self.processID = processID
        self.handle = handle
        self.loop = loop
    }

    private func beginWatching() throws(RuntimeError) {
        watch = try loop.watch(handle.number, for: .readable) { [self] _ in assumeIsolated { $0.reap() } }
    }

    private func reap() {
        var status: Int32 = 0
        guard unsafe waitpid(processID, &status, WNOHANG) == processID else { return }
        if let watch { loop.unwatch(watch) }
        watch = nil
        let ended: Exit =
            shim_wait_exited(status) != 0 ? .code(shim_wait_status(status)) : .signal(shim_wait_signal(status))
        exit = ended
        for waiter in waiters { waiter.resume(returning: ended) }
        waiters = []
    }

    /// Suspends until the program has ended. Does not end early when the caller is cancelled: end the program instead.
    package func waitForExit() async -> Exit {
        if let exit { return exit }
        return await withCheckedContinuation { waiters.append($0) }
    }

    package var isRunning: Bool { exit == nil }

    /// Sends a signal to the whole group, unless the program has been reaped: its number may be somebody else's by then.
    package func signal(_ number: Int32) {
        guard exit == nil else { return }
        kill(-processID, number)
    }

    /// Asks the group to end with `signal` (SIGTERM, 15, unless given), and kills it when it has not within `grace`.
    package func stop(signal number: Int32 = 15, grace: Duration) async -> Exit {
        signal(number)
        let timer = loop.schedule(after: grace) { [self] in assumeIsolated { $0.signal(SIGKILL) } }
        let exit = await waitForExit()
        loop.cancel(timer)
        return exit
    }
}
