extension OrderStreamFact {
    var isTimer: Bool {
        if case .timerRang = self { true } else { false }
    }
}

/// What time alone does to an order and its cards.
extension OrderStream {
    /// The timers that are set now: at most one for the order and one for each card.
    package var timers: [SetTimer] {
        var timers: [SetTimer] = []
        if let armed = alarm.armed { timers.append(SetTimer(device: nil, incarnation: 0, timer: armed)) }
        for card in activities {
            guard let armed = card.alarm.armed else { continue }
            timers.append(SetTimer(device: card.device, incarnation: card.incarnation, timer: armed))
        }
        return timers
    }

    /// A timer that is set, of a card or, without a device, of the order itself.
    package struct SetTimer: Hashable, Sendable {
        package let device: DeviceID?
        package let incarnation: Int
        package let timer: Alarm.Armed
    }

    /// Sets every alarm for what is waited for now. After one rang, what was due is dealt with: only what is still to
    /// come may ring again.
    mutating func setAlarms(now: Instant, policy: Policy, hasRung: Bool) {
        alarm.set(for: wishes(policy).filter { !hasRung || $0.at > now })
        for index in activities.indices {
            let card = activities[index]
            if card.state.isOver, card.alarm.armed == nil { continue }
            let situation = Situation(self, device: devices[card.device], now: now, policy: policy)
            activities[index].alarm.set(for: card.wishes(situation).filter { !hasRung || $0.at > now })
        }
    }

    private func wishes(_ policy: Policy) -> [Wish] {
        let attempt = attemptHeardAt.map { Wish(kind: .attemptWait, at: $0 + Order.attemptWait) }
        let command = commandHeardAt.map { Wish(kind: .commandWait, at: $0 + policy.commandWait) }
        return [order.phase.isFinal ? nil : attempt, command].compactMap(\.self)
    }

    /// A timer rang: whatever is due by now happens, of the alarm's kind or not.
    mutating func rang(
        _ timer: TimerRang,
        now: Instant,
        policy: Policy,
        partnerFacts: [PartnerFact]?,
        into outcome: inout Outcome
    ) {
        guard let device = timer.device else {
            return rang(timer, now: now, policy: policy, all: partnerFacts, into: &outcome)
        }
        guard
            let index = activities.firstIndex(where: { $0.device == device && $0.incarnation == timer.incarnation }),
            activities[index].alarm.rings(timer.generation)
        else { return }
        let situation = Situation(self, device: devices[device], now: now, policy: policy)
        for wish in activities[index].wishes(situation).sorted(by: { $0.at < $1.at }) where wish.at <= now {
            change(index, into: &outcome) { $0.timerRang(wish.kind) }
        }
    }

    private mutating func rang(
        _ timer: TimerRang,
        now: Instant,
        policy: Policy,
        all: [PartnerFact]?,
        into outcome: inout Outcome
    ) {
        if alarm.rings(timer.generation), let heard = commandHeardAt, heard + policy.commandWait <= now {
            forgetCommand()
        }
        if let expired = PartnerFact(timer) { fold(expired, all: all, heard: now, into: &outcome) }
    }
}

extension PartnerFact {
    /// A failed attempt that nobody repeated is a fact of the order's fold, at the moment at which its wait was over: a
    /// retry that is heard of later and happened before undoes it. nil for all other timers.
    package init?(_ timer: TimerRang) {
        guard timer.kind == .attemptWait, timer.device == nil else { return nil }
        let type = EventType.attemptExpired
        self.init(
            key: FoldKey(
                time: timer.at,
                rank: type.rank,
                source: Self.timerSource,
                id: "\(timer.kind.name)/\(timer.generation)"
            ),
            type: type,
            data: PartnerData(),
            flags: [],
            contentDigest: UInt64(timer.generation)
        )
    }

    private static let timerSource = "doorstep/timer"
}
