private import HTTPClient
private import Runtime

extension Supervisor {
    private static let patience = Duration.seconds(60)
    /// A child that ended as often and never was ready will not be.
    private static let attempts = 5

    /// Waits until a child answers 200 at a URL.
    func wait(for child: ManagedChild, answering url: String) async throws(Failure) {
        let client = HTTPClient(loop: loop, baseURL: "", maxConnections: 1, timeout: .seconds(2))
        try await wait(for: child) { (try? await client.send("GET", url))?.status == 200 }
    }

    /// Waits until `probe` says that a child is there.
    ///
    /// A child that ends with a usage or unreachable code would end so again: its log is shown instead.
    func wait(for child: ManagedChild, _ probe: () async -> Bool) async throws(Failure) {
        let deadline = MonotonicTime.now + Self.patience
        while MonotonicTime.now < deadline {
            if await probe() { return }
            let exit = await child.lastExit
            if exit == .code(ExitCode.usage.rawValue) || exit == .code(ExitCode.unreachable.rawValue) {
                throw Failure(.unreachable, ["\(child.name) does not start:"] + tail(of: child.log))
            }
            let endings = await child.restarts
            if endings >= Self.attempts {
                let problem = "\(child.name) ended \(endings) times and never was ready; \(child.log.hint)"
                throw Failure(.unreachable, problem)
            }
            do { try await loop.sleep(for: .milliseconds(50)) } catch {
                throw Failure(.unreachable, "stopped before everything had started")
            }
        }
        throw Failure(
            .unreachable,
            ["\(child.name) is not ready after a minute; see \(child.log.path)"] + tail(of: child.log)
        )
    }

    private func tail(of log: ChildLog) -> [String] { log.tail(5).map { "  \($0)" } }
}
