internal import Runtime

/// Phones that have something to tell, and the workers that wait for them.
struct CallQueue {
    private var callers = FIFO<World.Caller>()
    private var workers: [CheckedContinuation<World.Caller?, Never>] = []
    private var isClosed = false

    /// Hands a phone to a waiting worker, or keeps it until one asks.
    mutating func add(_ caller: World.Caller) {
        guard !isClosed else { return }
        if let worker = workers.popLast() {
            worker.resume(returning: caller)
        } else {
            callers.append(caller)
        }
    }

    /// The next phone; the worker waits until there is one, and gets nil when the queue closes.
    mutating func next(_ worker: CheckedContinuation<World.Caller?, Never>) {
        if isClosed {
            worker.resume(returning: nil)
        } else if let caller = callers.popFirst() {
            worker.resume(returning: caller)
        } else {
            workers.append(worker)
        }
    }

    mutating func close() {
        isClosed = true
        for worker in workers { worker.resume(returning: nil) }
        workers = []
    }
}
