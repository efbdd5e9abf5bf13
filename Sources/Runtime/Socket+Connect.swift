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
        let addresses = try await SocketAddress.resolve(host: host, port: port)
        return try await connect(toOneOf: addresses, until: deadline, on: loop)
    }

    /// Connects to the first address that answers. None may use up the time of those after it: each gets an equal share of
    /// what is left.
    package static func connect(
        toOneOf addresses: [SocketAddress],
        until deadline: MonotonicTime,
        on loop: EventLoop
    )
        async throws(RuntimeError) -> Descriptor
    {
        var failure = RuntimeError(.unknownHost, "getaddrinfo")
        for (index, address) in addresses.enumerated() {
            let share = (deadline - .now) / (addresses.count - index)
            do {
                return try await connect(to: address, within: share, on: loop)
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
        guard try await loop.wait(for: .writable, of: socket.number, within: limit) else {
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
    /// Suspends until a descriptor is ready or has failed; false when `limit` passed first.
    package func wait(
        for readiness: Readiness,
        of descriptor: Int32,
        within limit: Duration
    ) async throws(RuntimeError) -> Bool {
        let outcome: Result<Bool, RuntimeError> = await withCheckedContinuation { continuation in
            execute { [self] in
                let wait = OneWait(continuation)
                do throws(RuntimeError) {
                    let watch = try watch(descriptor, for: readiness) { _ in wait.end(.success(true)) }
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
