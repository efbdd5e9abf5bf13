extension EventLoop {
    /// Runs `body` within the calling task, on the loop from its first line to its last.
    ///
    /// `withTaskExecutorPreference` alone is not enough: a body that is `nonisolated(nonsending)`, as ours all are,
    /// begins on its caller's thread and gets to the loop only when it comes back from its first suspension.
    package func perform<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
        try await withTaskExecutorPreference(tasks) { try await begin(body) }
    }

    @concurrent private func begin<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value
    {
        // Also what keeps the compiler from leaving out the hop, which it does when a call is all that follows.
        checkIsolated()
        return try await body()
    }
}
