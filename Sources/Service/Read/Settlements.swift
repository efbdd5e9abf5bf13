internal import Crypto
package import Runtime

/// Wakes those who wait until an order has settled, so that they need not ask again and again.
package actor Settlements {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private struct Waiter {
        let number: Int
        let version: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private var waiters: [UUID128: [Waiter]] = [:]
    private var lastNumber = 0

    package init(loop: EventLoop) { self.loop = loop }

    /// An order was folded and has settled up to `version`.
    func moved(_ order: StreamAddress, settled version: Int) {
        guard let waiting = waiters[order.key] else { return }
        let rest = waiting.filter { $0.version > version }
        waiters[order.key] = rest.isEmpty ? nil : rest
        for waiter in waiting where waiter.version <= version { waiter.continuation.resume() }
    }

    /// Returns when the order has settled up to `version` as far as this process sees, and after `limit` at the latest:
    /// another process may work it, and the passing of time settles orders too.
    package func wait(for order: StreamAddress, settled version: Int, within limit: Duration) async {
        lastNumber += 1
        let number = lastNumber
        await withCheckedContinuation { continuation in
            let waiter = Waiter(number: number, version: version, continuation: continuation)
            waiters[order.key, default: []].append(waiter)
            loop.schedule(after: limit) { [weak self] in
                guard let self else { return }
                self.assumeIsolated { $0.giveUp(number, order) }
            }
        }
    }

    private func giveUp(_ number: Int, _ order: StreamAddress) {
        guard let index = waiters[order.key]?.firstIndex(where: { $0.number == number }) else { return }
        let waiter = waiters[order.key]?.remove(at: index)
        if waiters[order.key]?.isEmpty == true { waiters[order.key] = nil }
        waiter?.continuation.resume()
    }
}
