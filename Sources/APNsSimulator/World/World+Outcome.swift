extension World {
    /// Writes down what a phone made of a push, and does what follows from it.
    mutating func settle(_ sequence: Int, _ reaction: Reaction, on index: Int, at now: Moment) {
        if let card = reaction.card { log[sequence]?.card = Int32(clamping: card) }
        if let before = log[sequence]?.verdict { totals.verdicts[before, default: 0] -= 1 }
        log[sequence]?.verdict = reaction.verdict
        totals.verdicts[reaction.verdict, default: 0] += 1
        complain(sequence, reaction, at: now)
        writeLog(sequence, reaction, on: index, at: now)
        if reaction.isNewCard, let card = reaction.card { register(card, on: index, sequence, at: now) }
        if reaction.verdict.isApplied { recent.touch(index) }
        tell(reaction.calls, from: index)
    }

    /// The phone's own log tells why a push had no effect, and the world which one it overtook.
    private mutating func writeLog(_ sequence: Int, _ reaction: Reaction, on index: Int, at now: Moment) {
        if reaction.verdict == .deferred, let card = reaction.card {
            deferring.insert(CardPlace(phone: index, card: card))
        }
        if let replaced = reaction.replaced { settle(replaced, Reaction(verdict: .replaced), on: index, at: now) }
        guard !reaction.verdict.isApplied else { return }
        phones[index].log.add(reaction.verdict.line(reaction.detail), request: sequence, at: now.phone)
        recent.touch(index)
    }

    private mutating func complain(_ sequence: Int, _ reaction: Reaction, at now: Moment) {
        let verdict = reaction.verdict
        if verdict.isUndecodable {
            totals.undecodable += 1
            violate(.undecodable, sequence, detail: reaction.detail ?? verdict.rawValue, at: now)
        }
        switch verdict {
        case .tooLarge:
            totals.oversizedPayloads += 1
            violate(.oversizedPayload, sequence, detail: "attributes and content-state", at: now)
        case .alertMissing: violate(.startWithoutAlert, sequence, detail: "", at: now)
        case .wrongTokenKind: violate(.wrongTokenKind, sequence, detail: reaction.detail ?? "", at: now)
        case .applied, .notified, .notificationsOff, .underWay, .stored, .replaced, .expired, .malformed,
            .activitiesDisabled, .unknownAttributesType, .attributesUndecodable, .stateUndecodable, .channelUnsupported,
            .startBudgetExceeded, .tooManyActivities, .silentlyDead, .promptIgnored, .promptDenied, .deferred,
            .urgentBudgetExceeded, .cardOver, .olderTimestamp,
            .timestampTooFarAhead, .uninstalled:
            break
        }
    }

    /// A new card: its update token becomes known to APNs, or it listens to its channel; its eight hours begin.
    private mutating func register(_ index: Int, on phone: Int, _ sequence: Int, at now: Moment) {
        let card = phones[phone].cards[index]
        if let channel = card.channel {
            channels.listen(channel, phone: phone, card: index)
            catchUp(phone, card: index, at: now)
        } else {
            tokens.issue(card.updateToken, to: recipient(.update, phone, card: index))
        }
        lifetimes.add(.init(startedAt: card.startedAt, phone: phone, card: index))
        totals.cards += 1
        let siblings = phones[phone].cards[..<index].filter { $0.order == card.order }
        if siblings.isEmpty {
            pairs.append(Pair(phone: phone, order: card.order))
            totals.pairs += 1
        }
        if siblings.contains(where: { $0.incarnation == card.incarnation }) {
            totals.duplicateCards += 1
            violate(.duplicateCard, sequence, detail: card.order, at: now)
        }
    }

    /// Notes a broken rule of the request with this number.
    mutating func violate(_ rule: Violation.Rule, _ sequence: Int, detail: String, at now: Moment) {
        violations.add(
            Violation(
                rule: rule,
                at: now.wall,
                request: sequence,
                connection: log[sequence]?.connection,
                detail: detail
            )
        )
    }
}
