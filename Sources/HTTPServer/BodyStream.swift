/// The bytes of a streamed body between the handler that writes them and the library that sends them. On the loop only.
final class BodyStream {
    /// What the library gets when it asks for more.
    enum Piece {
        case bytes(Int)
        /// Ask again when there is some.
        case nothing
        case end
        /// End without the mark that says the body is whole.
        case cut
    }

    private enum State {
        /// The handler may write. Leaves on `finish` to `.finished`, on `close` to `.closed`.
        case open
        /// The handler is done; what it wrote is still to be sent. Leaves on `close` to `.closed`.
        case finished(whole: Bool)
        /// Nobody reads any more. Not left.
        case closed
    }

    /// How far a client may fall behind before the handler waits for it.
    static let highWater = 16 << 10

    let connection: Connection
    /// Whether the library was told that there is nothing, and its connection is suspended.
    var isParked = false
    private var state = State.open
    private var bytes: [UInt8] = []
    private var sent = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(_ connection: Connection) { self.connection = connection }

    private var backlog: Int { bytes.count - sent }

    var isClosed: Bool {
        switch state {
        case .open, .finished: false
        case .closed: true
        }
    }

    func append(_ more: [UInt8]) {
        guard case .open = state else { return }
        if sent == bytes.count {
            bytes = more
            sent = 0
        } else {
            bytes += more
        }
    }

    /// Suspends while the client is far behind.
    func waitForReader(isolation: isolated (any Actor)? = #isolation) async {
        guard backlog > Self.highWater, !isClosed else { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    /// Moves the next piece into the library's buffer, which is not empty.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Piece {
        guard backlog > 0 else {
            switch state {
            case .open: return .nothing
            case .finished(let whole): return whole ? .end : .cut
            case .closed: return .cut
            }
        }
        let count = min(backlog, buffer.count)
        unsafe buffer.copyBytes(from: bytes[sent..<sent + count])
        sent += count
        if backlog <= Self.highWater / 2 { release() }
        return .bytes(count)
    }

    /// The handler has written all, or given up.
    func finish(whole: Bool) {
        guard case .open = state else { return }
        state = .finished(whole: whole)
    }

    /// The request is over: nothing will be read again.
    func close() {
        state = .closed
        release()
    }

    private func release() {
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume() }
    }
}
