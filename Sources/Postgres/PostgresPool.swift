package import Runtime

/// A fixed number of connections, kept open by `run()`.
///
/// A call goes to the least busy connection at once; connections are shared, not lent. While none is open, callers
/// wait up to `acquireTimeout`. Each connection is replaced after `recycleAfter`, because a server process keeps every
/// plan and catalogue entry it has ever used.
package actor PostgresPool: PostgresSession, Service {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private struct Waiter {
        let calls: [Call]
        let limit: Duration?
        let until: MonotonicTime
        let answer: PostgresConnection.Answer
    }

    private let settings: PostgresSettings
    private let size: Int
    private let acquireTimeout: Duration
    private let recycleAfter: Duration
    private let log: Log
    private var connections: [PostgresConnection] = []
    private var waiters = FIFO<Waiter>()
    private var waiterTimer: EventLoop.TimerID?
    private var lastFailure: PostgresError?
    private var isClosed = false

    package init(
        loop: EventLoop,
        settings: PostgresSettings,
        size: Int,
        acquireTimeout: Duration = .seconds(5),
        recycleAfter: Duration = .seconds(3600),
        log: Log = .silent
    ) {
        self.loop = loop
        self.settings = settings
        self.size = size
        self.acquireTimeout = acquireTimeout
        self.recycleAfter = recycleAfter
        self.log = log
    }

    /// How many connections are open now.
    package var openCount: Int { connections.count }

    /// Keeps the connections open until the task is cancelled; then lets calls under way finish and closes all.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for index in 0..<size { group.addTask { await self.keepOpen(index) } }
        }
        isClosed = true
        for waiter in waiters.removeAll() {
            waiter.answer.resume(returning: .failure(PostgresError(.closed, waiter.calls.first?.statement.name ?? "")))
        }
    }

    package func perform(_ calls: [Call], within limit: Duration?) async throws(PostgresError) -> [PGRows] {
        let answer = await withCheckedContinuation { continuation in
            if let connection = leastBusy {
                connection.assumeIsolated { $0.submit(calls, within: limit, continuation) }
            } else {
                wait(calls, within: limit, continuation)
            }
        }
        return try answer.get()
    }

    private var leastBusy: PostgresConnection? {
        var best: (connection: PostgresConnection, load: Int)?
        for connection in connections {
            guard let load = connection.assumeIsolated({ $0.load }) else { continue }
            if best.map({ load < $0.load }) ?? true { best = (connection, load) }
        }
        return best?.connection
    }

    // MARK: - Keeping connections open

    private func keepOpen(_ index: Int) async {
        var generator = SystemRandomNumberGenerator()
        let backoff = Backoff(base: .milliseconds(100), limit: .seconds(5))
        var failures = 0
        while !Task.isCancelled {
            do {
                let connection = try await PostgresConnection.open(on: loop, settings)
                failures = 0
                admit(connection)
                // Spread, so that not all are replaced in the same second.
                await connection.retired(after: recycleAfter * (1 - 0.1 * Double(index) / Double(size)))
                connections.removeAll { $0 === connection }
                let isBroken = await connection.load == nil
                await connection.drain(within: Task.isCancelled ? .seconds(3) : settings.callTimeout)
                if !isBroken { continue }
            } catch {
                lastFailure = error
                log.warning("postgres.unreachable", ["attempt": .integer(Int64(failures))])
            }
            try? await loop.sleep(for: backoff.delay(afterFailure: failures, using: &generator))
            failures += 1
        }
    }

    private func admit(_ connection: PostgresConnection) {
        connections.append(connection)
        lastFailure = nil
        for waiter in waiters.removeAll() {
            leastBusy?.assumeIsolated { $0.submit(waiter.calls, within: waiter.limit, waiter.answer) }
        }
    }

    // MARK: - Waiting for a connection

    private func wait(_ calls: [Call], within limit: Duration?, _ answer: PostgresConnection.Answer) {
        if isClosed {
            answer.resume(returning: .failure(PostgresError(.closed, calls.first?.statement.name ?? "")))
            return
        }
        let until = MonotonicTime.now + acquireTimeout
        waiters.append(Waiter(calls: calls, limit: limit, until: until, answer: answer))
        if waiterTimer == nil { armWaiterTimer(acquireTimeout) }
    }

    private func armWaiterTimer(_ delay: Duration) {
        waiterTimer = loop.schedule(after: delay) { [self] in assumeIsolated { $0.refuseOverdue() } }
    }

    private func refuseOverdue() {
        waiterTimer = nil
        let now = MonotonicTime.now
        while let waiter = waiters.first {
            guard waiter.until <= now else { return armWaiterTimer(waiter.until - now) }
            _ = waiters.popFirst()
            let refusal = PostgresError(
                .unreachable,
                waiter.calls.first?.statement.name ?? "",
                message: lastFailure?.message ?? "no connection"
            )
            waiter.answer.resume(returning: .failure(refusal))
        }
    }
}

extension PostgresPool {
    /// Runs `body` with a pool that is open meanwhile: for commands and tests.
    package static func with<Value: Sendable>(
        loop: EventLoop,
        settings: PostgresSettings,
        size: Int = 2,
        _ body: @Sendable (PostgresPool) async throws -> Value
    ) async throws -> Value {
        let pool = PostgresPool(loop: loop, settings: settings, size: size)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            defer { group.cancelAll() }
            return try await body(pool)
        }
    }
}
