/// How well a connection behaves, and what APNs does about it (contract 2, 3; 1.7.4, 1.7.6).
///
/// The thresholds are of our own choosing: Apple says only that errors slow a provider down and that 410 is none.
struct ConnectionStanding: Sendable {
    struct Limits: Sendable, Hashable, Codable {
        /// Streams before the first valid provider token.
        var untrusted = 1
        /// Streams afterwards.
        var trusted = 1000
        /// Weight of errors in a row at which the limit falls back to `untrusted`.
        var slowAt = 20
        /// Weight at which the connection is told to go away.
        var disconnectAt = 200
    }

    enum Action: Hashable, Sendable {
        case limitStreams(Int)
        case goAway(Reason)
    }

    private enum State {
        /// One stream. Left by the first request with a valid provider token.
        case untrusted
        /// Many streams. Left when errors add up to `slowAt`.
        case trusted
        /// One stream again. Left by a success, or by `disconnectAt`.
        case slowed
    }

    private let limits: Limits
    private var state = State.untrusted
    private var weight = 0

    init(limits: Limits = Limits()) { self.limits = limits }

    /// A request carried a valid provider token.
    mutating func authenticated() -> Action? {
        guard case .untrusted = state else { return nil }
        state = .trusted
        return .limitStreams(limits.trusted)
    }

    /// A request was answered.
    mutating func answered(_ refusal: Refusal?) -> Action? {
        guard let refusal else { return recovered() }
        guard (400..<500).contains(refusal.status), refusal.status != 410 else { return nil }
        weight += refusal.reason == Reason.badDeviceToken.rawValue ? 2 : 1
        if weight >= limits.disconnectAt {
            weight = 0
            return .goAway(.badDeviceToken)
        }
        guard case .trusted = state, weight >= limits.slowAt else { return nil }
        state = .slowed
        return .limitStreams(limits.untrusted)
    }

    private mutating func recovered() -> Action? {
        weight = 0
        guard case .slowed = state else { return nil }
        state = .trusted
        return .limitStreams(limits.trusted)
    }
}
