private import Runtime

/// Waits at the end until orders have settled.
struct Settling: Sendable {
    let standing: OrderStanding
    let recording: Recording
    let progress: @Sendable (ReplayProgress) -> Void

    /// How many of `orders` had not settled when `limit` was over; `versions` are what each must reach.
    func run(_ orders: [Int], versions: [Int64], limit: Duration) async throws(ReplayError) -> Int {
        let deadline = MonotonicTime.now + limit
        var (done, unsettled) = (0, 0)
        let body: @Sendable (Int) async throws(ReplayError) -> Bool = { [self] order async throws(ReplayError) in
            try await settles(order, versions[order], by: deadline)
        }
        try await concurrently(orders, limit: OrderStanding.connections, body) { settled in
            done += 1
            unsettled += settled ? 0 : 1
            progress(ReplayProgress(stage: .settling, done: done, total: orders.count))
        }
        return unsettled
    }

    /// Asks at least once, also after the deadline: the others' waiting is no reason to call this one unsettled.
    private func settles(_ order: Int, _ version: Int64, by deadline: MonotonicTime) async throws(ReplayError) -> Bool {
        let id = recording.orders[order].id
        // Our own facts follow the last event: the order is done when everything known of it is.
        var version = version
        while true {
            let left = min(.seconds(10), deadline - .now)
            let now = try await standing.standing(of: id, awaiting: version, limit: left)
            if now.settled >= max(version, now.version) { return true }
            version = max(version, now.version)
            if MonotonicTime.now >= deadline || Task.isCancelled { return false }
        }
    }
}
