/// What a connection is bound to by its first push, and how often it has changed its provider token (contract 20, 21).
struct ConnectionAuth: Sendable {
    /// Apple: at most one new token in 20 minutes on one connection.
    static let updateInterval: Int64 = 20 * 60

    private enum State {
        /// Nothing believed yet. Left by the first valid token.
        case unbound
        /// One team and key family until the connection closes.
        case bound(Binding)
    }

    private struct Binding {
        let team: String
        let keyID: String
        let isTopicSpecific: Bool
        var current: String
        var previous: String?
        var switchedAt: Int64?
    }

    private var state = State.unbound

    var isBound: Bool {
        switch state {
        case .unbound: false
        case .bound: true
        }
    }

    /// Takes a verified token and its header value; `now` in Unix seconds.
    mutating func present(
        _ token: ProviderToken,
        _ authorization: String,
        key: ProviderKeyRegistration?,
        now: Int64
    ) throws(Refusal) {
        let isTopicSpecific = key?.bundleIDs != nil
        switch state {
        case .unbound:
            state = .bound(
                Binding(
                    team: token.team,
                    keyID: token.keyID,
                    isTopicSpecific: isTopicSpecific,
                    current: authorization
                )
            )
        case .bound(var binding):
            guard token.team == binding.team, isTopicSpecific == binding.isTopicSpecific,
                !isTopicSpecific || token.keyID == binding.keyID
            else { throw Refusal(.unrelatedKeyID) }
            // Requests signed before a switch may still arrive after it.
            guard authorization != binding.current, authorization != binding.previous else { return }
            if let last = binding.switchedAt, now - last < Self.updateInterval {
                throw Refusal(.tooManyProviderTokenUpdates)
            }
            binding.previous = binding.current
            binding.current = authorization
            binding.switchedAt = now
            state = .bound(binding)
        }
    }
}
