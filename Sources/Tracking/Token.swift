/// Names a token value by its kind, its environment and the keyed hash of the value: the core never sees a token.
package struct TokenID: OpaqueID {
    package let value: String
    package init(_ value: String) { self.value = value }
}

/// A token as its holder knows it.
package struct HeldToken: Hashable, Sendable {
    package let id: TokenID
    /// Version of the holder's stream at which it was registered: tells a newer claim of the same value from an older.
    package let claim: Int
    /// Apple's time of death, once a push met it.
    package var deadSince: Instant?

    package init(id: TokenID, claim: Int, deadSince: Instant? = nil) {
        self.id = id
        self.claim = claim
        self.deadSince = deadSince
    }
}

/// Who holds a token: a device its start token, a card of an order the update token.
package struct TokenHolder: Hashable, Sendable {
    package let device: DeviceID
    package let order: OrderID?

    package init(device: DeviceID, order: OrderID? = nil) {
        self.device = device
        self.order = order
    }

    /// What the token's stream must hear of a change from one token to another. A value that is registered again is only
    /// claimed again: the newer claim takes the older one's place.
    func messages(
        from had: HeldToken?,
        to has: HeldToken?,
        observedAt: Instant?,
        diedAt: Instant? = nil
    ) -> [Relay] {
        var relays: [Relay] = []
        if let had, had.id != has?.id {
            let goes: Relay.TokenMessage =
                diedAt.map { .died(self, claim: had.claim, since: $0) } ?? .released(self, claim: had.claim)
            relays.append(.toToken(had.id, goes))
        }
        if let has, has != had, let observedAt {
            relays.append(.toToken(has.id, .claimed(self, claim: has.claim, observedAt: observedAt)))
        }
        return relays
    }
}
