import Runtime

/// Runs `body` on a loop of its own and stops the loop afterwards.
@discardableResult
func withLoop<Value: Sendable>(_ body: @Sendable (EventLoop) async throws -> Value) async throws -> Value {
    let loop = try EventLoop.start(name: "test")
    defer { loop.stop() }
    return try await loop.perform { try await body(loop) }
}

/// An actor on a loop, as owners of sockets are.
actor OnLoop {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ loop: EventLoop) { self.loop = loop }

    /// Runs `body` isolated to the loop.
    func run<Value: Sendable>(_ body: @Sendable (EventLoop) throws -> Value) rethrows -> Value { try body(loop) }
}
