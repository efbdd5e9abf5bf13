private import CLinux
private import Glibc

extension Socket {
    /// Connects to the first address that answers, trying them in order within one deadline; the loop goes on meanwhile.
    ///
    /// - Throws: `systemCall` with the errno of the last address tried, `timedOut`, or `unknownHost`.
    package static func connect(
        host: String,
        port: Int,
        within limit: Duration,
        on loop: EventLoop
    )
        async throws(RuntimeError) -> Descriptor
    {
        let deadline = MonotonicTime.now + limit
        var failure = RuntimeError(.unknownHost, "getaddrinfo")
        for address in try await SocketAddress.resolve(host: host, port: port) {
            do {
                return try await connect(to: address, within: deadline - .now, on: loop)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Connects to one address without blocking the loop.
    package static func connect(
        to address: SocketAddress,
        within limit: Duration,
        on loop: EventLoop
    )
        async throws(RuntimeError) -> Descriptor
    {
        let socket = try open(address.family)
        try setOption(socket, Int32(IPPROTO_TCP), TCP_NODELAY)
        let result = unsafe address.withPointer { unsafe Glibc.connect(socket.number, $0, $1) }
        guard result != 0 else { return socket }
        guard errno == EINPROGRESS else { throw .systemCall("connect") }
        guard try await loop.waitUntilWritable(socket.number, within: limit) else {
            throw RuntimeError(.timedOut, "connect")
        }
        let problem = pendingError(of: socket)
        guard problem == 0 else { throw RuntimeError(.systemCall, "connect", errno: problem) }
        return socket
    }

    /// The error that an asynchronous operation left on a socket, or 0.
    package static func pendingError(of socket: borrowing Descriptor) -> Int32 {
        var problem: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        unsafe getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &problem, &length)
        return problem
    }
}

extension EventLoop {
    /// Suspends until a descriptor is writable or has failed; false when `limit` passed first.
    fileprivate func waitUntilWritable(_ descriptor: Int32, within limit: Duration) async throws(RuntimeError) -> Bool {
        let outcome: Result<Bool, RuntimeError> = await withCheckedContinuation { continuation in
            execute { [self] in
                let wait = OneWait(continuation)
                do throws(RuntimeError) {
                    let watch = try watch(descriptor, for: .writable) { _ in wait.end(.success(true)) }
                    let timer = schedule(after: limit) { wait.end(.success(false)) }
                    wait.cleanUp = { [self] in
                        unwatch(watch)
                        cancel(timer)
                    }
                } catch {
                    wait.end(.failure(error))
                }
            }
        }
        return try outcome.get()
    }
}

/// One suspended wait, ended by whichever of its two causes comes first; on the loop only.
private final class OneWait {
    private var continuation: CheckedContinuation<Result<Bool, RuntimeError>, Never>?
    var cleanUp: () -> Void = {}

    init(_ continuation: CheckedContinuation<Result<Bool, RuntimeError>, Never>) { self.continuation = continuation }

    func end(_ outcome: Result<Bool, RuntimeError>) {
        guard let continuation else { return }
        self.continuation = nil
        cleanUp()
        cleanUp = {}
        continuation.resume(returning: outcome)
    }
}
