extension EventLoop {
    /// Suspends the caller, without leaving the loop, for `delay`; ends early with `CancellationError`.
    package func sleep(for delay: Duration) async throws(CancellationError) {
        let sleeper = Sleeper()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                execute { [self] in
                    guard sleeper.begin(continuation) else { return }
                    let timer = schedule(after: delay) { sleeper.end() }
                    sleeper.timer.withLock { $0 = timer }
                }
            }
        } onCancel: {
            sleeper.end()
            execute { [self] in
                if let timer = sleeper.timer.withLock({ $0 }) { cancel(timer) }
            }
        }
        if Task.isCancelled { throw CancellationError() }
    }
}

/// Holds the continuation of one sleep, resumed exactly once, by the timer or by cancellation.
private final class Sleeper: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Void, Never>)
        case done
    }

    private let state = Locked(State.new)
    let timer = Locked<EventLoop.TimerID?>(nil)

    /// False when the sleep was cancelled before it began.
    func begin(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        let begun = state.withLock { state in
            switch state {
            case .new:
                state = .waiting(continuation)
                return true
            case .waiting, .done:
                return false
            }
        }
        if !begun { continuation.resume() }
        return begun
    }

    func end() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            switch state {
            case .new:
                state = .done
                return nil
            case .waiting(let continuation):
                state = .done
                return continuation
            case .done:
                return nil
            }
        }
        waiting?.resume()
    }
}
