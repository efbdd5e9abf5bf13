/// The start token as the one thing that two installations on one phone share.
extension DeviceStream {
    /// The start token as long as pushes can be sent with it.
    var liveToken: HeldToken? { startToken?.deadSince == nil ? startToken : nil }

    /// What the token's stream must hear of a change of the start token.
    func tokenMessages(since had: HeldToken?) -> [Relay] {
        TokenHolder(device: id).messages(
            from: had,
            to: liveToken,
            observedAt: startTokenAt,
            diedAt: startToken?.deadSince
        )
    }

    /// The value belongs to another device now, which is this very phone under a new name: it gets the ledger too. nil: the
    /// value is dead. A claim newer than the one that lost is on its way and will be heard.
    mutating func lose(_ token: TokenID, claim: Int, to successor: DeviceID?) -> [Relay] {
        if loseDeviceToken(token, claim: claim) { return tellOfTokens() }
        guard let startToken, startToken.id == token, startToken.claim == claim else { return [] }
        self.startToken = nil
        hasStartToken = false
        startTokenAt = nil
        self.successor = successor
        let relays = successor.map { handOver(takeLedger(), to: $0) } ?? []
        return relays + tellOfTokens()
    }

    /// The starts of the phone's earlier name count here; a name that is itself of the past passes them on. Names whose
    /// registrations crossed on their way may each follow the other: after some steps the starts stay where they are.
    mutating func inherit(_ inherited: StartLedger) -> [Relay] {
        if let successor, inherited.steps < StartLedger.mostSteps {
            var passedOn = inherited
            passedOn.steps += 1
            return handOver(passedOn, to: successor)
        }
        ledger = (ledger + inherited.starts).sorted()
        lastStartAt = [lastStartAt, inherited.lastStartAt].compactMap(\.self).max()
        unanswered += inherited.unanswered
        return []
    }

    private func handOver(_ ledger: StartLedger, to successor: DeviceID) -> [Relay] {
        ledger.isEmpty ? [] : [.toDevice(successor, .ledgerMoved(ledger))]
    }

    private mutating func takeLedger() -> StartLedger {
        defer {
            ledger = []
            lastStartAt = nil
            unanswered = 0
        }
        return StartLedger(starts: ledger, lastStartAt: lastStartAt, unanswered: unanswered)
    }
}

/// The starts of a phone as one of its installations hands them to the next (rule 11).
package struct StartLedger: Hashable, Sendable {
    package var starts: [Instant]
    package var lastStartAt: Instant?
    package var unanswered: Int
    /// How often it was passed on.
    package var steps: Int

    package init(starts: [Instant], lastStartAt: Instant?, unanswered: Int, steps: Int = 0) {
        self.starts = starts
        self.lastStartAt = lastStartAt
        self.unanswered = unanswered
        self.steps = steps
    }

    /// More names than a phone has in a day. Ours.
    static let mostSteps = 8

    var isEmpty: Bool { starts.isEmpty && lastStartAt == nil && unanswered == 0 }
}
