internal import Runtime

/// Until when a connection may take for what it is doing.
///
/// The library's own timeout counts inactivity, so a byte a second keeps a connection for ever; these deadlines are
/// total and do not move while bytes trickle.
struct ConnectionClock: Hashable {
    private enum Phase: Hashable {
        /// Connected, no request line yet. Leaves on `targetArrived` to `.head`.
        case opened
        /// Between requests. Leaves on `targetArrived` to `.head`.
        case idle
        /// Headers are arriving. Leaves on `headArrived` to `.body`, on `answered` to `.writing`.
        case head
        /// The body is arriving. Leaves on `bodyArrived` to `.handling`, on `answered` to `.writing`.
        case body
        /// The handler works, or a streamed body has nothing to send. Leaves on `answered` or `pieceTaken` to
        /// `.writing`.
        case handling
        /// Bytes wait for the client to take them. Leaves on `pieceWanted` to `.handling`, on `ended` to `.idle`.
        case writing
    }

    /// What to do about a connection whose time is up.
    enum Expiry: Hashable {
        /// A request has begun: say why before closing.
        case answerAndClose
        /// No request line has arrived. Say why if a part of one has.
        case answerIfBegunAndClose
        case close
    }

    private let settings: HTTPServerSettings
    private var phase = Phase.opened
    private var deadline: MonotonicTime?

    init(_ settings: HTTPServerSettings, openedAt now: MonotonicTime) {
        self.settings = settings
        deadline = now + settings.headerDeadline
    }

    /// Whether no request has begun since the last one ended.
    var isIdle: Bool { phase == .idle || phase == .opened }

    /// Whether a request line has arrived and its headers have not.
    var awaitsHead: Bool { phase == .head }

    mutating func targetArrived(at now: MonotonicTime) {
        // The first request's time runs from the connection, or slow request lines would get theirs for nothing.
        if phase != .opened { deadline = now + settings.headerDeadline }
        phase = .head
    }

    mutating func headArrived(at now: MonotonicTime) {
        phase = .body
        deadline = now + settings.bodyDeadline
    }

    mutating func bodyArrived() {
        phase = .handling
        deadline = nil
    }

    mutating func answered(at now: MonotonicTime) {
        phase = .writing
        deadline = now + settings.writeDeadline
    }

    /// A piece of a streamed body is on its way to the client.
    mutating func pieceTaken(at now: MonotonicTime) { answered(at: now) }

    /// Everything written so far has gone out.
    mutating func pieceWanted() { bodyArrived() }

    mutating func ended(at now: MonotonicTime) {
        phase = .idle
        deadline = now + settings.idleDeadline
    }

    /// What is due at `now`. Said once: the connection is on its way out after that.
    mutating func expire(at now: MonotonicTime) -> Expiry? {
        guard let due = deadline, due <= now else { return nil }
        deadline = nil
        switch phase {
        case .head, .body: return .answerAndClose
        case .opened: return .answerIfBegunAndClose
        case .idle, .handling, .writing: return .close
        }
    }
}
