internal import Runtime

/// Decides when a client pings and when it takes the peer for dead.
///
/// An idle connection is pinged once an hour (Apple's advice, sender rule 5); one that owes answers and is silent is
/// asked after five seconds and has five to answer, because a dead TCP link would otherwise go unnoticed for a quarter
/// of an hour (P14).
struct Liveness {
    enum Action {
        case nothing
        case ping
        case giveUp
    }

    var idleLimit = Duration.seconds(3600)
    var silenceLimit = Duration.seconds(5)
    var pongLimit = Duration.seconds(5)
    /// How long the peer's side may take no bytes at all while there are some for it. Frames for it pile up meanwhile, even
    /// if it still sends.
    let refusalLimit = Duration.seconds(10)

    private var waitingSince: MonotonicTime
    /// When the PING left that has no answer yet.
    private var pinged: MonotonicTime?
    private var lastPing: MonotonicTime

    init(now: MonotonicTime) {
        waitingSince = now
        lastPing = now
    }

    /// A request was sent while none was open.
    mutating func beganWaiting(at now: MonotonicTime) { waitingSince = now }

    /// The PING was answered.
    mutating func ponged() { pinged = nil }

    mutating func tick(at now: MonotonicTime, lastReceived: MonotonicTime, isWaiting: Bool) -> Action {
        if let pinged { return now - pinged > pongLimit ? .giveUp : .nothing }
        let limit = isWaiting ? silenceLimit : idleLimit
        let since = isWaiting ? max(lastReceived, waitingSince) : max(lastReceived, lastPing)
        guard now - since > limit else { return .nothing }
        pinged = now
        lastPing = now
        return .ping
    }
}
