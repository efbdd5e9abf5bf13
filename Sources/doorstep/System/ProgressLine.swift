private import Runtime

/// Shows progress a few times a second at most.
struct ProgressLine: Sendable {
    private let console: Console
    private let last = Locked(MonotonicTime(nanoseconds: 0))

    init(_ console: Console) { self.console = console }

    @Sendable func show(_ stage: String, _ done: Int, of total: Int) {
        guard console.showsProgress else { return }
        let now = MonotonicTime.now
        let interval: Duration = Console.errorIsTerminal ? .milliseconds(200) : .seconds(5)
        let isDue = last.withLock { last in
            guard now - last > interval || done == total else { return false }
            last = now
            return true
        }
        if isDue { console.progress("\(stage) \(done)/\(total)") }
    }
}
