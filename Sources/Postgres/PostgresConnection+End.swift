private import Runtime

extension PostgresConnection {
    // MARK: - Deadlines

    /// One timer for the oldest operation: those behind it are looked at when they are the oldest, or fall with it.
    func armDeadline() {
        guard let due = operations.first?.deadline else { return }
        if let timer = deadlineTimer {
            if timer.due <= due { return }
            loop.cancel(timer.id)
        }
        let wait = due - MonotonicTime.now
        let id = loop.schedule(after: wait) { [self] in assumeIsolated { $0.checkDeadline() } }
        deadlineTimer = (id, due)
    }

    private func checkDeadline() {
        deadlineTimer = nil
        guard let oldest = operations.first else { return }
        let now = MonotonicTime.now
        if now < oldest.deadline { return armDeadline() }
        if cancelRequested, now >= oldest.deadline + settings.cancelGrace {
            return end(PostgresError(.lost, "deadline", message: "no answer after a cancel"))
        }
        if !cancelRequested { requestCancel() }
        let id = loop.schedule(after: settings.cancelGrace) { [self] in assumeIsolated { $0.checkDeadline() } }
        deadlineTimer = (id, now + settings.cancelGrace)
    }

    private func requestCancel() {
        cancelRequested = true
        guard let canceller = handle?.canceller() else { return }
        // A timer has no task to wait in, and nobody waits for this one: the answer of the cancelled call tells.
        Task { await BlockingCall.run { canceller.request() } }
    }

    // MARK: - Ending

    /// Gives the connection up after it broke.
    func abandon(_ doing: String) {
        end(PostgresError(.lost, doing, message: "the connection broke"))
    }

    /// Ends the session now; calls under way fail as `lost`.
    package func close() {
        end(PostgresError(.lost, "close", message: "the connection was closed"))
    }

    private func end(_ reason: PostgresError) {
        if ending != nil { return }
        ending = reason
        if let watch { loop.unwatch(watch) }
        watch = nil
        handle = nil
        if let deadlineTimer { loop.cancel(deadlineTimer.id) }
        deadlineTimer = nil
        for (index, operation) in operations.removeAll().enumerated() {
            // A refusal before the break undid the oldest one; of all others nobody knows.
            let own = index == 0 && failure?.code == .rejected ? failure : nil
            let lost = PostgresError(.lost, operation.names.first ?? "", message: reason.message)
            operation.answer.resume(returning: .failure(own ?? lost))
        }
        script?.resume(returning: reason)
        script = nil
        resumeIdleWaiters()
        retirement?.resume()
        retirement = nil
    }

    /// Waits until nothing is under way, at most `limit`, then closes. Give it no new calls meanwhile.
    package func drain(within limit: Duration) async {
        if !operations.isEmpty, ending == nil {
            let timer = loop.schedule(after: limit) { [self] in assumeIsolated { $0.resumeIdleWaiters() } }
            await withCheckedContinuation { idleWaiters.append($0) }
            loop.cancel(timer)
        }
        close()
    }

    /// Returns when the connection has ended, when `age` has passed, or when the caller is cancelled.
    func retired(after age: Duration) async {
        if ending != nil || Task.isCancelled { return }
        let timer = loop.schedule(after: age) { [self] in assumeIsolated { $0.retire() } }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancellation that came before there was anything to resume.
                if Task.isCancelled { continuation.resume() } else { retirement = continuation }
            }
        } onCancel: {
            loop.execute { [self] in assumeIsolated { $0.retire() } }
        }
        loop.cancel(timer)
    }

    private func retire() {
        retirement?.resume()
        retirement = nil
    }
}
