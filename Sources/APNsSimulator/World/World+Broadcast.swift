private import JSONText

extension World {
    static let broadcastLimit = 5120
    /// A channel that stores nothing has a higher budget (contract 6.2); how much higher, is ours.
    private static let unstoredRateFactor = 10.0

    /// A message to everybody who listens to a channel (contract 49, 50). In order: push type, priority, expiration,
    /// channel, size, faults, rate.
    mutating func publish(_ visit: inout Visit, app: Int, _ laxities: inout [Laxity]) throws(Refusal) {
        let request = visit.request
        if request.first("apns-topic") != nil { laxities.append(.topicOnBroadcast) }
        guard let type = request.first("apns-push-type") else { throw Refusal(.missingPushType) }
        // Apple's page spells it in three ways.
        guard type.lowercased() == PushType.liveactivity.rawValue else { throw Refusal(.invalidPushType) }
        visit.record.priority = UInt8(clamping: try request.checkedPriority(.liveactivity, &laxities))
        visit.record.expiration = try request.checkedExpiration(&laxities)
        let index = try checkedChannel(&visit, app: app)
        let storesNothing = channels[index].storage == .nothing
        guard !storesNothing || visit.record.expiration ?? 0 == 0 else { throw Refusal(.badExpirationDate) }
        try request.checkSize(Self.broadcastLimit)
        let payload = ActivityPayload(request.body)
        visit.record.event = .unknown
        if let payload { visit.record.describe(payload, schema(app: app, payload)) }
        note(laxities, at: visit.now)
        guard try meetsNoObstacle(&visit, { $0.channelSubject($1, index) }) else { return }
        var limits = knobs.rate
        if storesNothing {
            limits.perSecond *= Self.unstoredRateFactor
            limits.burst *= Self.unstoredRateFactor
        }
        guard channels[index].rate.admit(at: visit.now.wall, limits) else { throw Refusal(.tooManyRequests) }
        broadcast(payload, on: index, visit)
    }

    private mutating func broadcast(_ payload: ActivityPayload?, on index: Int, _ visit: Visit) {
        log.append(visit.record, body: visit.request.body)
        let sequence = log.lastSequence
        totals.accepted[visit.record.event, default: 0] += 1
        if visit.record.priority == 10 { totals.priorityTen += 1 }
        if payload?.hasAlert == true { totals.alerts += 1 }
        keepLedger(ofChannel: index, payload, sequence, at: visit.now)
        channels[index].published += 1
        let message = Channel.Message(sequence: sequence, record: visit.record, payload: payload)
        if channels[index].storage == .newest, visit.record.expiration != 0 {
            let until = min(visit.record.expiration?.inMicroseconds ?? .max, visit.now.phone + Channel.storedFor)
            channels[index].stored = Channel.Stored(message: message, until: until)
        }
        let listeners = channels[index].listeners.filter {
            phones[$0.phone].isInstalled && phones[$0.phone].cards[$0.card].ending(at: visit.now.phone) == nil
        }
        channels[index].listeners = listeners
        for listener in listeners where phones[listener.phone].isOnline {
            deliver(message, of: index, to: listener, at: visit.now)
        }
    }

    /// A phone is back, or a card has just begun to listen: the newest stored message comes, if it is news.
    mutating func catchUp(_ phone: Int, card: Int, at now: Moment) {
        guard let index = phones[phone].cards[card].channel, let stored = channels[index].stored,
            now.phone < stored.until, phones[phone].cards[card].newestBroadcast < stored.message.sequence,
            phones[phone].isOnline, phones[phone].cards[card].ending(at: now.phone) == nil
        else { return }
        deliver(stored.message, of: index, to: Channel.Listener(phone: phone, card: card), at: now)
    }

    /// One phone's part of a broadcast, with a record of its own.
    private mutating func deliver(
        _ message: Channel.Message,
        of index: Int,
        to listener: Channel.Listener,
        at now: Moment
    ) {
        var record = message.record
        record.address(recipient(.channel, listener.phone, card: listener.card))
        record.broadcast = Int32(clamping: message.sequence)
        record.receivedWall = now.wall
        record.receivedPhone = now.phone
        log.append(record, body: [])
        let sequence = log.lastSequence
        totals.broadcastDeliveries += 1
        phones[listener.phone].requests.append(sequence)
        phones[listener.phone].cards[listener.card].newestBroadcast = message.sequence
        let push = Push(
            sequence: sequence,
            kind: .channel,
            priority: Int(message.record.priority),
            card: listener.card,
            payload: message.payload,
            alert: nil,
            expiration: 0,
            updateToken: nil,
            channel: index
        )
        let reaction = phones[listener.phone].accept(
            push,
            conditions(of: listener.phone),
            at: now,
            using: &generator
        )
        settle(sequence, reaction, on: listener.phone, at: now)
    }

    private mutating func keepLedger(
        ofChannel index: Int,
        _ payload: ActivityPayload?,
        _ sequence: Int,
        at now: Moment
    ) {
        guard let payload else { return }
        if payload.event == .start { violate(.startToChannel, sequence, detail: "", at: now) }
        judgeStaleDate(of: payload, sequence, at: now)
        if let newest = channels[index].newestTimestamp, payload.timestamp <= newest {
            totals.timestampRegressions += 1
            violate(.timestampRegression, sequence, detail: "\(payload.timestamp) after \(newest)", at: now)
        }
        channels[index].newestTimestamp = max(channels[index].newestTimestamp ?? payload.timestamp, payload.timestamp)
    }
}
