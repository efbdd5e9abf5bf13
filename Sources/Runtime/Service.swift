/// Work that goes on until its task is cancelled.
package protocol Service: Sendable {
    /// Works until the task is cancelled, then finishes what it has begun and returns; throws when it cannot go on.
    func run() async throws
}

/// Runs services side by side and ends them in reverse order.
///
/// The first one to end, for whatever reason, ends all: a dead projector must not leave an API that accepts what nobody
/// reads. When the last one listed returns, the one before it is cancelled and awaited, then the one before that, so a
/// list reads like a stack: what others lean on comes first, and what waits for the signal to stop comes last. When
/// an earlier one ends, or the caller is cancelled, everything after it is cancelled at once.
///
/// - Throws: what the first failing service threw; being cancelled is not a failure.
package func runAll(_ services: [any Service]) async throws {
    guard let first = services.first else { return }
    let others = Array(services.dropFirst())
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await ignoringCancellation { try await first.run() } }
        if !others.isEmpty { group.addTask { try await runAll(others) } }
        try await group.next()
        group.cancelAll()
        try await group.waitForAll()
    }
}

private func ignoringCancellation(_ body: () async throws -> Void) async throws {
    do { try await body() } catch is CancellationError {}
}
