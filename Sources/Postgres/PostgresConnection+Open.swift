package import Runtime

extension PostgresConnection {
    /// Connects and signs in.
    ///
    /// - Throws: `unreachable`, also when the server refuses, with libpq's reason.
    package static func open(
        on loop: EventLoop,
        _ settings: PostgresSettings
    ) async throws(PostgresError) -> PostgresConnection {
        let connection = PostgresConnection(loop: loop, settings: settings)
        try await connection.open()
        return connection
    }

    private func open() async throws(PostgresError) {
        let deadline = MonotonicTime.now + settings.connectTimeout
        let addresses = try await HostLookup.addresses(in: settings.url)
        handle = try ConnectionHandle.start(settings.parameters(addresses: addresses))
        // A new connection waits to write before the first poll (libpq manual, PQconnectPoll).
        var wanted = EventLoop.Readiness.writable
        while true {
            guard let descriptor = handle?.descriptor, await isReady(descriptor, for: wanted, until: deadline) else {
                handle = nil
                throw PostgresError(.unreachable, "connect", message: "no answer in time")
            }
            switch handle?.poll() {
            case .waitsToRead: wanted = .readable
            case .waitsToWrite: wanted = .writable
            case .open: return try begin()
            case .failed, nil:
                let failure = handle?.connectFailure
                handle = nil
                throw failure ?? PostgresError(.closed, "connect")
            }
        }
    }

    /// Watches for one event only: libpq may exchange the descriptor, even for one of the same number, at each step.
    private func isReady(
        _ descriptor: Int32,
        for wanted: EventLoop.Readiness,
        until deadline: MonotonicTime
    ) async -> Bool {
        let remaining = deadline - MonotonicTime.now
        if remaining <= .zero || descriptor < 0 { return false }
        return await withCheckedContinuation { continuation in
            let wait = OneAnswer(continuation)
            let watch = try? loop.watch(descriptor, for: wanted) { _ in wait.end(true) }
            let timer = loop.schedule(after: remaining) { wait.end(false) }
            wait.cleanUp = { [loop] in
                if let watch { loop.unwatch(watch) }
                loop.cancel(timer)
            }
            if watch == nil { wait.end(false) }
        }
    }

    private func begin() throws(PostgresError) {
        guard handle?.enterPipeline() == true, let descriptor = handle?.descriptor else {
            handle = nil
            throw PostgresError(.unreachable, "connect", message: "no pipeline mode")
        }
        do {
            watch = try loop.watch(descriptor, for: .readable) { [self] readiness in
                assumeIsolated { $0.ready(readiness) }
            }
        } catch {
            handle = nil
            throw PostgresError(.unreachable, "connect", message: error.description)
        }
    }
}

/// A continuation that a descriptor and a timer race for, on one loop.
private final class OneAnswer {
    private var continuation: CheckedContinuation<Bool, Never>?
    var cleanUp: () -> Void = {}

    init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = continuation }

    func end(_ value: Bool) {
        guard let continuation else { return }
        self.continuation = nil
        cleanUp()
        cleanUp = {}
        continuation.resume(returning: value)
    }
}
