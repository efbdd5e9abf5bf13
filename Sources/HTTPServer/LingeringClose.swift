private import Glibc
internal import Runtime

/// Closes a connection whose client may still be sending, so that the answer survives.
///
/// The kernel answers data that arrives for a closed socket with a reset, and a reset makes the client's kernel throw
/// away what it has not read: the very answer that says why (RFC 9112 section 9.6). So our side is closed first, what
/// still comes is discarded, and the socket goes when the client has closed too or after `limit`. On the loop only.
final class LingeringClose {
    private static let limit = Duration.seconds(2)

    private let socket: Descriptor
    private let loop: EventLoop
    private var watch: EventLoop.WatchID?
    private var timer: EventLoop.TimerID?
    private let ended: () -> Void

    /// Begins with a duplicate of `number`, whose owner may close its own at once. Keeps itself alive to the end.
    static func begin(_ number: Int32, on loop: EventLoop, ended: @escaping () -> Void) -> Bool {
        let copy = fcntlDuplicate(number)
        guard copy >= 0 else { return false }
        LingeringClose(Descriptor(owning: copy), loop, ended).start()
        return true
    }

    private init(_ socket: consuming Descriptor, _ loop: EventLoop, _ ended: @escaping () -> Void) {
        self.socket = socket
        self.loop = loop
        self.ended = ended
    }

    private func start() {
        Socket.shutDown(socket, receiving: false)
        watch = try? loop.watch(socket.number, for: .readable) { [self] _ in discard() }
        timer = loop.schedule(after: Self.limit) { [self] in end() }
        if watch == nil { end() }
    }

    private func discard() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        switch Socket.read(socket, into: &buffer) {
        case .bytes, .wouldBlock: break
        case .closed, .failed: end()
        }
    }

    private func end() {
        if let watch { loop.unwatch(watch) }
        if let timer { loop.cancel(timer) }
        watch = nil
        timer = nil
        ended()
    }
}

private func fcntlDuplicate(_ number: Int32) -> Int32 { fcntl(number, F_DUPFD_CLOEXEC, 0) }
