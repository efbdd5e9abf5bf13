internal import Runtime

/// Returns when the process is asked to stop: the last of the services that `runAll` is given.
struct Interruption: Service {
    private let signals: AsyncStream<Signal>

    init(on loop: EventLoop) throws(RuntimeError) {
        signals = try Signals.stream([.interrupt, .terminate], on: loop)
    }

    func run() async throws {
        for await _ in signals { return }
    }
}
