private import CMicroHTTPD
private import Glibc
internal import Runtime

/// One `MHD_Daemon` in external mode, driven by an event loop: it owns the connections, applies the deadlines, and tells
/// `hooks` of requests. On the loop only.
///
/// The library wakes nobody in this mode. A connection is resumed on the loop's thread, and `MHD_run` is called in the
/// same turn; inside the library's callbacks only the connection at hand is touched, others are left to that later run.
@safe
final class Daemon {
    /// Who handles requests. Called on the loop.
    struct Hooks {
        /// A whole request has arrived; `answer` is owed, but not before this has returned.
        let request: (Int, HTTPRequest) -> Void
        /// The exchange is over: answered, or its connection lost.
        let ended: (Int) -> Void
        /// What to say when a request is refused.
        let fault: (HTTPFault) -> HTTPResponse
    }

    let loop: EventLoop
    let settings: HTTPServerSettings
    let hooks: Hooks
    var connections: [Int: Connection] = [:]
    var exchanges: [Int: Exchange] = [:]
    var isDraining = false
    /// Of all exchanges.
    var heldBytes = 0
    private var handle: OpaquePointer?
    private var watch: EventLoop.WatchID?
    private var ticking = false
    private var runIsDue = false
    private var lastID = 0
    private var lingering = 0

    init(loop: EventLoop, settings: HTTPServerSettings, hooks: Hooks) {
        self.loop = loop
        self.settings = settings
        self.hooks = hooks
    }

    /// Takes the listener and begins to accept. The loop keeps this object alive until `stop`.
    func start(_ listener: consuming Descriptor) throws(HTTPServerError) {
        // The pool of a connection holds its head, a record for each header, and the head of the answer.
        let pool = 2 * settings.headerBytes + 4096
        unsafe handle = startDaemon(
            listener.release(),
            pool,
            UInt32(clamping: settings.connectionLimit),
            Unmanaged.passUnretained(self).toOpaque()
        )
        guard let handle = unsafe handle else { throw HTTPServerError(.cannotStart, "MHD_start_daemon") }
        do throws(RuntimeError) {
            watch = try loop.watch(unsafe shim_epoll(handle), for: .readable) { [self] _ in run() }
        } catch {
            throw HTTPServerError(.cannotStart, error.description)
        }
    }

    /// Refuses new connections, and closes those without a request.
    func drain() {
        guard let handle = unsafe handle, !isDraining else { return }
        isDraining = true
        run()
        let listener = unsafe MHD_quiesce_daemon(handle)
        if listener >= 0 { close(listener) }
        for connection in connections.values where connection.clock.isIdle { shutDown(connection) }
        runSoon()
    }

    /// Cuts every connection that is left.
    func cutAll() {
        for connection in connections.values { shutDown(connection) }
        runSoon()
    }

    /// Frees the library's daemon. With exchanges still suspended that would be fatal by its manual, so it is then left
    /// to the end of the process.
    func stop() {
        if let watch { loop.unwatch(watch) }
        watch = nil
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        if exchanges.isEmpty { unsafe MHD_stop_daemon(handle) }
    }

    // MARK: - Turns

    /// Has the library look at its connections at the end of this turn.
    func runSoon() {
        guard !runIsDue else { return }
        runIsDue = true
        loop.atTurnEnd { [self] in
            runIsDue = false
            run()
        }
    }

    private func run() {
        guard let handle = unsafe handle else { return }
        _ = unsafe MHD_run(handle)
        var wait: UInt64 = 0
        // No deadline of the library's own is set, so the only time it can name is "at once".
        if unsafe MHD_get_timeout(handle, &wait) == .YES, wait == 0 {
            loop.schedule(after: .zero) { [self] in run() }
        }
    }

    private func tick() {
        let now = MonotonicTime.now
        for connection in connections.values {
            switch connection.clock.expire(at: now) {
            case .answerAndClose: timeOut(connection)
            case .answerIfBegunAndClose: connection.hasReceived ? timeOut(connection) : shutDown(connection)
            case .close: shutDown(connection)
            case nil: break
            }
        }
        ticking = false
        keepTicking()
    }

    private func timeOut(_ connection: Connection) {
        send(RawAnswer.bytes(.timedOut, hooks.fault(.timedOut)), on: connection)
        shutDown(connection)
    }

    private func keepTicking() {
        guard !ticking, !connections.isEmpty else { return }
        ticking = true
        loop.schedule(after: settings.tick) { [self] in tick() }
    }

    // MARK: - Connections

    func nextID() -> Int {
        lastID += 1
        return lastID
    }

    func opened(_ connection: Connection) {
        connections[connection.id] = connection
        keepTicking()
    }

    func closed(_ connection: Connection) {
        connections[connection.id] = nil
        // Where the limit, ours or the kernel's, had stopped it, the library listens again only when it is run.
        runSoon()
    }

    /// Ends both directions, or only ours; the library notices and closes.
    func shutDown(_ connection: Connection, receiving: Bool = true) {
        shutdown(connection.socket, Int32(receiving ? SHUT_RDWR : SHUT_WR))
    }

    /// Writes past the library, as far as the socket takes it: these answers are small and come first.
    func send(_ bytes: [UInt8], on connection: Connection) {
        _ = unsafe bytes.withUnsafeBytes { raw in
            unsafe Glibc.send(connection.socket, raw.baseAddress, raw.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Lets the client read the answer to a request it is still sending. A flood of such requests is simply cut.
    func linger(_ connection: Connection) {
        guard lingering < 256 else { return }
        if LingeringClose.begin(connection.socket, on: loop, ended: { [self] in lingering -= 1 }) { lingering += 1 }
    }
}
