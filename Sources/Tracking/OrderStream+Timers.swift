extension OrderStreamFact {
    var timer: TimerRang? {
        if case .timerRang(let timer) = self { timer } else { nil }
    }
}

/// What time alone does to an order and its cards.
extension OrderStream {
    /// The timers that are set now: at most one for the order and one for each card.
    package var timers: [SetTimer] {
        var timers: [SetTimer] = []
        if let armed = alarm.armed { timers.append(SetTimer(device: nil, incarnation: 0, timer: armed)) }
        for card in activities { add(card, to: &timers) }
        if let channel { add(channel.card, to: &timers) }
        return timers
    }

    private func add(_ card: Activity, to timers: inout [SetTimer]) {
        guard let armed = card.alarm.armed else { return }
        timers.append(SetTimer(device: card.device, incarnation: card.incarnation, timer: armed))
    }

    /// A timer that is set, of a card or, without a device, of the order itself.
    package struct SetTimer: Hashable, Sendable {
        package let device: DeviceID?
        package let incarnation: Int
        package let timer: Alarm.Armed
    }

    /// Sets the order's own alarm for what is waited for now.
    mutating func setAlarm(now: Instant, policy: Policy, after timer: TimerRang?) {
        if attemptHeardAt == nil, commandHeardAt == nil, alarm.armed == nil { return }
        var wishes = Wishes()
        if !order.phase.isFinal { wishes.add(.attemptWait, at: attemptHeardAt.map { $0 + Order.attemptWait }) }
        wishes.add(.commandWait, at: commandHeardAt.map { $0 + policy.commandWait })
        let hasRung = timer.map { $0.device == nil } ?? false
        alarm.set(for: wishes, after: hasRung ? now : nil)
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
        if timer.incarnation == Channel.incarnation {
            return channelRang(timer, now: now, policy: policy, into: &outcome)
        }
        guard
            let index = activities.index(device, timer.incarnation),
            activities[index].alarm.rings(timer.generation)
        else { return }
        var situation = Situation(self, now: now, policy: policy)
        look(at: index, devices[device], policy, &situation)
        var wishes = activities[index].wishes(situation, policy)
        while let kind = wishes.next(by: now) { change(index, into: &outcome) { $0.timerRang(kind) } }
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
