internal import Runtime

/// A socket, its TLS and its HTTP/2 session, moved by an event loop: part of the actor that owns it.
///
/// Everything a turn of the loop wants sent leaves in one write at the turn's end.
final class SecureLink {
    private static let recordBytes = 16 * 1024

    let loop: EventLoop
    let session: Session
    /// When bytes last came from the peer.
    private(set) var lastReceived = MonotonicTime.now
    private(set) var isShakingHands = true
    private(set) var hasEnded = false

    /// Whether a peer that says nothing of protocols by ALPN is believed to speak HTTP/2.
    var takesSilenceForHTTP2 = false
    /// The handshake is done and `h2` was agreed on.
    var onReady: () -> Void = {}
    var onEvent: (SessionEvent) -> Void = { _ in }
    /// Called once, after the last event.
    var onEnd: (HTTP2Error) -> Void = { _ in }

    private let tls: TLSEngine
    private var socket: Descriptor?
    private var watch: EventLoop.WatchID?
    private var isFlushDue = false
    private var waitsForSpace = false
    /// Since when the socket has taken nothing although there are bytes for it; nil when it takes them.
    private(set) var refusedSince: MonotonicTime?
    private var isReading = true

    private var received = [UInt8](repeating: 0, count: 64 * 1024)
    private var plaintext = [UInt8](repeating: 0, count: SecureLink.recordBytes)
    private var produced: [UInt8] = []
    private var unsent = [UInt8](repeating: 0, count: 128 * 1024)
    private var unsentRange = 0..<0

    init(socket: consuming Descriptor, tls: TLSEngine, session: Session, loop: EventLoop) {
        self.socket = consume socket
        self.tls = tls
        self.session = session
        self.loop = loop
    }

    /// Begins to move bytes.
    func start() throws(RuntimeError) {
        guard let number = socket?.number else { return }
        watch = try loop.watch(number, for: .readable) { [weak self] readiness in self?.ready(readiness) }
        attempt { () throws(HTTP2Error) in try takeIn() }
    }

    /// The session to resume later connections with, once the peer gave a ticket.
    var resumableSession: TLSSession? { tls.resumableSession }
    var hasResumed: Bool { tls.hasResumed }
    /// Whether the peer showed a certificate, verified or not.
    var peerHasCertificate: Bool { tls.peerHasCertificate }

    /// Sends, at the end of this turn, what the session has to say by then.
    func scheduleFlush() {
        guard !isFlushDue, !hasEnded else { return }
        isFlushDue = true
        loop.atTurnEnd { [weak self] in self?.flush() }
    }

    /// Stops moving bytes and keeps the socket open, as a dead network would. For tests of peers.
    func freeze() {
        if let watch { loop.unwatch(watch) }
        watch = nil
        isFlushDue = true
    }

    /// Lets what the peer sends pile up, or reads it again. For tests of peers.
    func setReading(_ isReading: Bool) {
        guard isReading != self.isReading, let watch else { return }
        self.isReading = isReading
        loop.rearm(watch, for: interest)
    }

    private var interest: EventLoop.Readiness {
        var interest: EventLoop.Readiness = []
        if isReading { interest.insert(.readable) }
        if waitsForSpace { interest.insert(.writable) }
        return interest
    }

    /// Ends the connection: says goodbye if the socket takes it, closes, reports the end.
    func end(_ reason: HTTP2Error, sayingGoodbye: Bool = true) {
        guard !hasEnded else { return }
        if sayingGoodbye {
            if !isShakingHands { tls.close() }
            takeCiphertext()
            _ = sendSome()
        }
        hasEnded = true
        if let watch { loop.unwatch(watch) }
        watch = nil
        socket = nil
        let report = onEnd
        onReady = {}
        onEvent = { _ in }
        onEnd = { _ in }
        report(reason)
    }

    // MARK: - In

    private func ready(_ readiness: EventLoop.Readiness) {
        if readiness.contains(.writable), waitsForSpace { flush() }
        if readiness.contains(.readable) || readiness.contains(.closed) { read() }
    }

    private func read() {
        switch readSocket() {
        case .bytes(let count):
            lastReceived = .now
            tls.receive(received, count: count)
            attempt { () throws(HTTP2Error) in try takeIn() }
        case .wouldBlock: break
        case .closed: end(HTTP2Error(.closed, "the peer closed the connection"), sayingGoodbye: false)
        case .failed(let number): end(HTTP2Error(.closed, "read: errno \(number)"), sayingGoodbye: false)
        }
    }

    private func readSocket() -> Socket.Transfer {
        guard let socket = socket.take() else { return .wouldBlock }
        let transfer = Socket.read(socket, into: &received)
        self.socket = consume socket
        return transfer
    }

    /// Decrypts what is there and lets the session have it.
    private func takeIn() throws(HTTP2Error) {
        if isShakingHands {
            defer { scheduleFlush() }
            switch try tls.shakeHands() {
            case .underWay: return
            case .done:
                guard tls.hasChosenHTTP2 || (takesSilenceForHTTP2 && !tls.hasChosenProtocol) else {
                    throw HTTP2Error(.notHTTP2, "the peer did not choose h2 by ALPN")
                }
                isShakingHands = false
                onReady()
            }
        }
        var saidGoodbye = false
        while !hasEnded {
            guard let count = try tls.read(into: &plaintext) else {
                saidGoodbye = true
                break
            }
            guard count > 0 else { break }
            try session.receive(plaintext, count: count)
        }
        deliverEvents()
        if saidGoodbye { throw HTTP2Error(.closed, "the peer closed the connection") }
        scheduleFlush()
    }

    private func deliverEvents() {
        for event in session.takeEvents() { onEvent(event) }
    }

    // MARK: - Out

    private func flush() {
        isFlushDue = false
        attempt { () throws(HTTP2Error) in
            while !hasEnded {
                try produce()
                guard !unsentRange.isEmpty else { break }
                guard try send() else { return waitForSpace(true) }
            }
            waitForSpace(false)
            deliverEvents()
            if !isShakingHands, session.isFinished { throw HTTP2Error(.closed, "the session is over") }
        }
    }

    /// Fills the buffer with ciphertext, a record at a time.
    private func produce() throws(HTTP2Error) {
        takeCiphertext()
        while !isShakingHands, tls.pendingOutput == 0, unsent.count - unsentRange.upperBound >= Self.recordBytes {
            produced.removeAll(keepingCapacity: true)
            // A little less than a record, which the last frame then fills.
            try session.produce(into: &produced, atLeast: Self.recordBytes - 1024)
            guard !produced.isEmpty else { return }
            try tls.write(produced)
            takeCiphertext()
        }
    }

    private func takeCiphertext() {
        let end = unsentRange.upperBound
        unsentRange = unsentRange.lowerBound..<(end + tls.takeOutput(into: &unsent, at: end))
    }

    /// False when the socket takes no more for now.
    private func send() throws(HTTP2Error) -> Bool {
        switch sendSome() {
        case .bytes: return true
        case .wouldBlock: return false
        case .closed: throw HTTP2Error(.closed, "the peer closed the connection")
        case .failed(let number): throw HTTP2Error(.closed, "write: errno \(number)")
        }
    }

    private func sendSome() -> Socket.Transfer {
        guard !unsentRange.isEmpty else { return .wouldBlock }
        guard let socket = socket.take() else { return .closed }
        let result = Socket.write(socket, unsent[unsentRange])
        self.socket = consume socket
        switch result {
        case .wouldBlock: refusedSince = refusedSince ?? .now
        case .closed, .failed: break
        case .bytes(let count):
            refusedSince = nil
            let start = unsentRange.lowerBound + count
            unsentRange = start == unsentRange.upperBound ? 0..<0 : start..<unsentRange.upperBound
        }
        return result
    }

    private func waitForSpace(_ waits: Bool) {
        guard waits != waitsForSpace, let watch else { return }
        waitsForSpace = waits
        loop.rearm(watch, for: interest)
    }

    /// Runs a step; a failure ends the connection after the streams it already finished were reported.
    private func attempt(_ step: () throws(HTTP2Error) -> Void) {
        do throws(HTTP2Error) {
            try step()
        } catch {
            deliverEvents()
            end(error)
        }
    }
}
