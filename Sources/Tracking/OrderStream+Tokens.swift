/// The update tokens of an order's cards.
extension OrderStream {
    /// The value belongs to another card now, or is dead. A claim newer than the one that lost is on its way and will be
    /// heard.
    mutating func lose(_ token: TokenID, claim: Int, into outcome: inout Outcome) {
        let lost = HeldToken(id: token, claim: claim)
        for index in activities.indices where activities[index].updateToken == lost {
            change(index, into: &outcome) { $0.tokenTaken() }
        }
    }

    /// One value leads to one card: that which registered it last.
    mutating func takeFromOthers(_ card: Int, into outcome: inout Outcome) {
        guard let token = activities[card].updateToken?.id else { return }
        for index in activities.indices where index != card && activities[index].updateToken?.id == token {
            change(index, into: &outcome) { $0.tokenTaken() }
        }
    }
}

extension Activity {
    /// The update token as long as pushes to a running card can be sent with it.
    var liveToken: HeldToken? { state.isOver || updateToken?.deadSince != nil ? nil : updateToken }

    /// Another card has the token: this one is out of reach until it gets one of its own.
    mutating func tokenTaken() {
        updateToken = nil
        switch state {
        case .live, .ending: state = .unreachable
        case .none, .starting, .maybeStarted, .liveOnChannel, .localOnly, .unreachable, .dismissed, .ended: break
        }
    }

    /// What the tokens' streams must hear of the change from the token before.
    func tokenMessages(from before: HeldToken?, to token: HeldToken?, order: OrderID) -> [Relay] {
        TokenHolder(device: device, order: order).messages(
            from: before,
            to: token,
            observedAt: tokenAt,
            diedAt: updateToken?.deadSince
        )
    }
}
