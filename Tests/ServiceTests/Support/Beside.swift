import Runtime
import TestSupport

/// Runs `body` beside services on the tests' loop, and ends them afterwards in reverse order, as a process does.
func beside<Value: Sendable>(
    _ services: [any Service],
    _ body: @Sendable () async throws -> Value
) async throws -> Value {
    let (stream, end) = AsyncStream<Never>.makeStream()
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask(executorPreference: TestLoop.shared.tasks) {
            try await runAll(services + [Until(stream: stream)])
        }
        do {
            let value = try await body()
            end.finish()
            try await group.waitForAll()
            return value
        } catch {
            group.cancelAll()
            throw error
        }
    }
}

/// The service whose end ends the others.
private struct Until: Service {
    let stream: AsyncStream<Never>
    func run() async throws { for await _ in stream {} }
}
