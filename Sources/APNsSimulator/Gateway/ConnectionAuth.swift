/// What a connection is bound to by its first push, and how often it has changed its provider token (contract 20-22).
struct ConnectionAuth: Sendable {
    /// Apple: at most one new token in 20 minutes on one connection.
    static let updateInterval: Int64 = 20 * 60

    private enum State {
        /// Nothing believed yet. Left by the first valid token.
        case unbound
        /// One team and key family until the connection closes.
        case bound(Binding)
        /// A token expired, and nothing is believed any more, by a knob. Never left.
        case expired
    }

    private struct Binding {
        /// The key of the first push.
        let key: ProviderKeyRegistration
        /// The bundle ids that there were then.
        let bundleIDs: [String]
        var current: String
        var previous: String?
        var switchedAt: Int64?
    }

    private var state = State.unbound

    /// Takes a verified token's key and its header value; `bundleIDs` are all that exist, `now` is in Unix seconds by
    /// APNs' clock.
    mutating func present(
        _ authorization: String,
        of key: ProviderKeyRegistration,
        bundleIDs: [String],
        now: Int64,
        otherTeam: Reason
    ) throws(Refusal) {
        switch state {
        case .unbound:
            state = .bound(Binding(key: key, bundleIDs: bundleIDs, current: authorization))
        case .bound(var binding):
            guard key.team == binding.key.team else { throw Refusal(otherTeam) }
            guard key.isFamily(of: binding.key) else { throw Refusal(.unrelatedKeyID) }
            // Requests signed before a switch may still arrive after it.
            guard authorization != binding.current, authorization != binding.previous else { return }
            if let last = binding.switchedAt, now - last < Self.updateInterval {
                throw Refusal(.tooManyProviderTokenUpdates)
            }
            binding.previous = binding.current
            binding.current = authorization
            binding.switchedAt = now
            state = .bound(binding)
        case .expired: throw Refusal(.expiredProviderToken)
        }
    }

    /// Whether the connection serves a bundle id: one that was added later fails on it (contract 1.5.7).
    func serves(_ bundleID: String) -> Bool {
        switch state {
        case .unbound: true
        case .bound(let binding): binding.bundleIDs.contains(bundleID)
        case .expired: false
        }
    }

    /// A token was too old; with `isFinal` the connection never recovers.
    mutating func expire(isFinal: Bool) {
        if isFinal { state = .expired }
    }
}

extension ProviderKeyRegistration {
    /// Whether it may follow `first` on a connection: team-scoped keys follow each other, a topic-specific one is
    /// followed by itself and its relative only (contract 1.5.9).
    fileprivate func isFamily(of first: ProviderKeyRegistration) -> Bool {
        switch (first.bundleIDs, bundleIDs) {
        case (nil, nil): true
        case (_?, _?): id == first.id || first.relatedID == id || relatedID == first.id
        case (nil, _?), (_?, nil): false
        }
    }
}
