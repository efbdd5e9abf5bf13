/// One token value of one kind in one environment: at most one device or card holds it (engine rules, sections 1 and 3).
package struct TokenStream: Hashable, Sendable {
    /// Who holds the value, by which of its claims.
    package struct Owner: Hashable, Sendable {
        package let holder: TokenHolder
        /// Version of the holder's stream when it claimed the value.
        package let claim: Int

        package init(holder: TokenHolder, claim: Int) {
            self.holder = holder
            self.claim = claim
        }
    }

    package enum State: Hashable, Sendable {
        /// Nobody holds it. Left by a claim.
        case free
        /// Left by the owner's release to `free`, by its death to `dead`; another's claim takes it away.
        case owned(Owner)
        /// Apple called it dead while this owner had it. Left by a claim whose app observed the value later (rule 10).
        case dead(Owner, since: Instant)
    }

    package let id: TokenID
    package private(set) var state: State

    package init(id: TokenID, state: State = .free) {
        self.id = id
        self.state = state
    }

    /// Folds one message; answers only with what it takes away: a claim that stands needs no answer.
    package mutating func handle(_ message: Relay.TokenMessage) -> [Relay] {
        switch message {
        case .claimed(let holder, let claim, let observedAt):
            return take(Owner(holder: holder, claim: claim), observedAt: observedAt)
        case .released(let holder, let claim):
            // A claim that was taken away meanwhile is let go of in vain; the dead stay dead.
            if state == .owned(Owner(holder: holder, claim: claim)) { state = .free }
            return []
        case .died(let holder, let claim, let since):
            let owner = Owner(holder: holder, claim: claim)
            if state == .owned(owner) { state = .dead(owner, since: since) }
            return []
        }
    }

    private mutating func take(_ claimant: Owner, observedAt: Instant) -> [Relay] {
        switch state {
        case .free:
            state = .owned(claimant)
            return []
        case .owned(let owner):
            state = .owned(claimant)
            return owner.holder == claimant.holder ? [] : [lost(owner, to: claimant.holder.device)]
        case .dead(_, let since):
            guard observedAt > since else { return [lost(claimant, to: nil)] }
            state = .owned(claimant)
            return []
        }
    }

    private func lost(_ owner: Owner, to device: DeviceID?) -> Relay {
        guard let order = owner.holder.order else {
            return .toDevice(owner.holder.device, .tokenLost(id, claim: owner.claim, to: device))
        }
        return .toOrder(order, .tokenLost(id, claim: owner.claim))
    }
}
