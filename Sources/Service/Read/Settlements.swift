internal import Crypto
package import Runtime

/// Wakes those who wait for an order to move on, so that they need not ask again and again.
package actor Settlements {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private var waiters: [UUID128: [CheckedContinuation<Void, Never>]] = [:]

    package init(loop: EventLoop) { self.loop = loop }

    /// Orders whose state moved on.
    func moved(_ orders: [StreamAddress]) {
        guard !waiters.isEmpty else { return }
        for order in orders {
            guard let waiting = waiters.removeValue(forKey: order.key) else { continue }
            for waiter in waiting { waiter.resume() }
        }
    }

    /// Returns when the order moved, and after `limit` at the latest: another process may have moved it.
    package func next(_ order: StreamAddress, within limit: Duration) async {
        await withCheckedContinuation { continuation in
            waiters[order.key, default: []].append(continuation)
            loop.schedule(after: limit) { [weak self] in
                guard let self else { return }
                self.assumeIsolated { $0.moved([order]) }
            }
        }
    }
}
