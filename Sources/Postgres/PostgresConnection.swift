package import Runtime

/// One session with PostgreSQL on an event loop.
///
/// Any number of callers may use it at once: their calls are sent as they come and answered in that order, each list of
/// calls a transaction of its own. Opened with `open`, must be closed: an open connection stays on its loop.
package actor PostgresConnection: PostgresSession {
    typealias Answer = CheckedContinuation<Result<[PGRows], PostgresError>, Never>

    /// What a caller waits for.
    struct Operation {
        let names: [String]
        let deadline: MonotonicTime
        let answer: Answer
    }

    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    let settings: PostgresSettings
    var handle: ConnectionHandle?
    var watch: EventLoop.WatchID?
    var pipeline = Pipeline()
    var operations = FIFO<Operation>()
    /// Why nothing can be sent any more.
    var ending: PostgresError?
    /// The script that has the connection to itself.
    var script: CheckedContinuation<PostgresError?, Never>?
    /// Those who wait until nothing is under way, or until the connection is closed.
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
    var retirement: CheckedContinuation<Void, Never>?

    // Of the oldest operation.
    var rows: [PGRows] = []
    var failure: PostgresError?
    var cancelRequested = false

    var deadlineTimer: (id: EventLoop.TimerID, due: MonotonicTime)?
    private var flushIsScheduled = false
    private var waitsToWrite = false

    init(loop: EventLoop, settings: PostgresSettings) {
        self.loop = loop
        self.settings = settings
    }

    package func perform(_ calls: [Call], within limit: Duration?) async throws(PostgresError) -> [PGRows] {
        let answer = await withCheckedContinuation { submit(calls, within: limit, $0) }
        return try answer.get()
    }

    /// How many operations wait for their answer; nil when the session has ended.
    package var load: Int? { ending == nil ? operations.count : nil }

    // MARK: - Sending

    func submit(_ calls: [Call], within limit: Duration?, _ answer: Answer) {
        if let refusal = refusal(calls) {
            answer.resume(returning: .failure(refusal))
            return
        }
        if calls.isEmpty {
            answer.resume(returning: .success([]))
            return
        }
        let deadline = MonotonicTime.now + (limit ?? settings.callTimeout)
        operations.append(Operation(names: calls.map(\.statement.name), deadline: deadline, answer: answer))
        guard send(calls) else { return abandon("send") }
        armDeadline()
        scheduleFlush()
    }

    private func refusal(_ calls: [Call]) -> PostgresError? {
        let name = calls.first?.statement.name ?? ""
        if let ending { return PostgresError(.closed, name, message: ending.message) }
        if script != nil { return PostgresError(.badValue, name, message: "a script is running") }
        // The wire counts parameters in 16 bits.
        if let call = calls.first(where: { $0.parameters.count > Int(UInt16.max) }) {
            return PostgresError(.badValue, call.statement.name, message: "too many parameters")
        }
        return nil
    }

    private func send(_ calls: [Call]) -> Bool {
        for call in calls where pipeline.needsPreparation(call.statement.name) {
            let types = call.parameters.map(\.typeOID)
            guard handle?.prepare(call.statement, types: types) == true, handle?.sync() == true else { return false }
        }
        for call in calls {
            guard handle?.execute(call.statement, ParameterBuffer(call.parameters)) == true else { return false }
            pipeline.sentCall()
        }
        pipeline.sentEnd()
        return handle?.sync() == true
    }

    /// One write for all that a turn of the loop has gathered.
    func scheduleFlush() {
        if flushIsScheduled { return }
        flushIsScheduled = true
        loop.atTurnEnd { [self] in
            assumeIsolated { connection in
                connection.flushIsScheduled = false
                connection.flush()
            }
        }
    }

    private func flush() {
        guard let outcome = handle?.flush() else { return }
        switch outcome {
        case .done: wait(toWrite: false)
        case .blocked: wait(toWrite: true)
        case .broken: return abandon("send")
        }
        // While its way out is blocked libpq takes in what the server sent, so that the two cannot wait for each other.
        // Nothing announces such answers again: the socket is empty then.
        if script == nil { readAnswers() }
    }

    private func wait(toWrite: Bool) {
        guard toWrite != waitsToWrite, let watch else { return }
        waitsToWrite = toWrite
        loop.rearm(watch, for: toWrite ? [.readable, .writable] : .readable)
    }

    // MARK: - Receiving

    func ready(_ readiness: EventLoop.Readiness) {
        if readiness.contains(.writable) { flush() }
        guard let isAlive = handle?.consume() else { return }
        if script == nil { readAnswers() } else { readScriptAnswers() }
        if !isAlive { abandon("receive") }
    }

    private func readAnswers() {
        while !pipeline.isIdle, handle?.isBusy == false {
            guard let result = handle?.nextResult() else {
                if pipeline.receivedNull() { continue }
                return
            }
            switch pipeline.received(result.kind) {
            case .nothing: break
            case .keep: rows.append(PGRows(result, operation: oldestName))
            case .fail: failure = failure ?? result.failure(of: oldestName)
            case .complete: complete()
            case .abandon: return abandon("receive")
            }
        }
    }

    /// The statement whose answer comes next.
    private var oldestName: String {
        guard let names = operations.first?.names else { return "" }
        return rows.count < names.count ? names[rows.count] : "commit"
    }

    private func complete() {
        guard let operation = operations.popFirst() else { return }
        if cancelRequested, let refusal = failure, refusal.sqlState == "57014" {
            failure = PostgresError(.timedOut, refusal.operation, sqlState: "57014", message: refusal.message)
        }
        let answer = failure.map { Result<[PGRows], PostgresError>.failure($0) } ?? .success(rows)
        rows = []
        failure = nil
        cancelRequested = false
        operation.answer.resume(returning: answer)
        if operations.isEmpty { resumeIdleWaiters() } else { armDeadline() }
    }

    func resumeIdleWaiters() {
        let waiters = idleWaiters
        idleWaiters = []
        for waiter in waiters { waiter.resume() }
    }
}
