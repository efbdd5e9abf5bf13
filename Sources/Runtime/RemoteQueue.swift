private import CLinux
private import Glibc

/// What other threads want done on a loop, and the eventfd that wakes it for them: one write for as much as gathers
/// until the loop looks.
@safe
final class RemoteQueue: Sendable {
    struct Contents {
        var jobs: [LoopJob] = []
        var calls: [@Sendable () -> Void] = []
    }

    let wakeUp: Descriptor
    private let contents = Locked(Contents())

    init() throws(RuntimeError) {
        let number = eventfd(0, O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw .systemCall("eventfd") }
        wakeUp = Descriptor(owning: number)
    }

    func add(_ job: LoopJob) { add { $0.jobs.append(job) } }

    func add(_ call: @escaping @Sendable () -> Void) { add { $0.calls.append(call) } }

    private func add(_ change: (inout Contents) -> Void) {
        let wasEmpty = contents.withLock { contents in
            let wasEmpty = contents.jobs.isEmpty && contents.calls.isEmpty
            change(&contents)
            return wasEmpty
        }
        guard wasEmpty else { return }
        var one: UInt64 = 1
        _ = unsafe write(wakeUp.number, &one, 8)
    }

    /// Takes everything out. The eventfd is reset first, so that whatever is added meanwhile either is taken or wakes
    /// the loop again.
    func take() -> Contents {
        var value: UInt64 = 0
        _ = unsafe read(wakeUp.number, &value, 8)
        return contents.withLock { contents in
            let taken = contents
            contents = Contents()
            return taken
        }
    }
}

/// A job, and through which of the loop's two faces it came.
struct LoopJob {
    let job: UnownedJob
    let isTask: Bool
}
