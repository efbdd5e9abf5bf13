extension PostgresConnection {
    /// Runs statements separated by semicolons, outside the pipeline: migrations, and what may not run in a transaction
    /// when it stands alone. Several statements without BEGIN are one transaction.
    ///
    /// The connection must be idle and is the script's alone meanwhile. No deadline: the caller's settings bound it.
    package func runScript(_ sql: String) async throws(PostgresError) {
        if let ending { throw PostgresError(.closed, "script", message: ending.message) }
        guard script == nil, operations.isEmpty, pipeline.isIdle else {
            throw PostgresError(.badValue, "script", message: "the connection is in use")
        }
        guard handle?.leavePipeline() == true, handle?.send(script: sql) == true else {
            abandon("script")
            throw PostgresError(.lost, "script")
        }
        let refusal = await withCheckedContinuation { continuation in
            script = continuation
            scheduleFlush()
        }
        if let refusal { throw refusal }
    }

    func readScriptAnswers() {
        while script != nil, handle?.isBusy == false {
            guard let result = handle?.nextResult() else { return endScript() }
            if result.kind == .failure { failure = failure ?? result.failure(of: "script") }
        }
    }

    private func endScript() {
        let refusal = failure
        failure = nil
        guard handle?.enterPipeline() == true else { return abandon("script") }
        script?.resume(returning: refusal)
        script = nil
    }
}
