private import JSONText

extension World {
    /// A push to the device token in the path.
    mutating func push(_ visit: inout Visit) throws(Refusal) {
        let order = try admit(&visit)
        let payload = order.recipient.kind == .device ? nil : ActivityPayload(order.body)
        describe(payload, order, in: &visit.record)
        if order.pushType == nil, knobs.requests.dropsWithoutPushType { return drop(order, visit.record) }
        guard try meetsNoObstacle(&visit, { $0.subject(order, payload, $1.record) }) else { return }
        try refuseDeadOrHasty(order, at: visit.now)
        accept(order, payload, visit.record, at: visit.now)
    }

    private func describe(_ payload: ActivityPayload?, _ order: PushOrder, in record: inout RequestRecord) {
        guard let payload else {
            record.event = order.recipient.kind == .device ? .alert : .unknown
            return
        }
        record.describe(payload, schema(app: order.recipient.app, payload, order.recipient))
    }

    /// Accepted, and never seen again (contract 12).
    private mutating func drop(_ order: PushOrder, _ record: RequestRecord) {
        log.append(record, body: order.body)
        totals.accepted[record.event, default: 0] += 1
        phones[order.recipient.phone].requests.append(log.lastSequence)
    }

    private func subject(_ order: PushOrder, _ payload: ActivityPayload?, _ record: RequestRecord) -> Fault.Subject {
        let phone = phones[order.recipient.phone]
        let orderKey = schema(app: order.recipient.app, payload)?.orderKey
        let started = orderKey.flatMap { payload?.attributes?[$0]?.stringValue }
        return Fault.Subject(
            token: order.token,
            phone: phone.id,
            order: order.recipient.card.map { phone.cards[$0].order } ?? started,
            topic: order.topic,
            event: record.event,
            tokenKind: order.recipient.kind,
            environment: record.environment,
            connection: record.connection,
            priority: order.priority
        )
    }

    private mutating func accept(
        _ order: PushOrder,
        _ payload: ActivityPayload?,
        _ record: RequestRecord,
        at now: Moment
    ) {
        let index = order.recipient.phone
        log.append(record, body: order.body)
        let sequence = log.lastSequence
        totals.accepted[record.event, default: 0] += 1
        if record.priority == 10 { totals.priorityTen += 1 }
        let isAlert = order.recipient.kind == .device && order.pushType != .background
        if payload?.hasAlert == true || isAlert { totals.alerts += 1 }
        keepLedger(of: order.recipient, payload, sequence, at: now)
        let push = Push(
            sequence: sequence,
            kind: order.recipient.kind,
            priority: order.priority,
            card: order.recipient.card,
            startsOnly: order.recipient.attributesType,
            payload: payload,
            alert: isAlert ? PhoneAlert(order.body, collapseID: order.collapseID, at: now.phone) : nil,
            expiration: order.expiration,
            updateToken: order.recipient.kind == .start ? mint() : nil,
            channel: payload?.channel.flatMap { channels.find($0, app: order.recipient.app, record.environment) }
        )
        phones[index].requests.append(sequence)
        dispatch(push, order, to: index, at: now)
    }

    /// What any sender must keep to, whatever the phone makes of it (sender rules 23, 28; no update after an end).
    private mutating func keepLedger(
        of recipient: Recipient,
        _ payload: ActivityPayload?,
        _ sequence: Int,
        at now: Moment
    ) {
        guard let payload else { return }
        judgeStaleDate(of: payload, sequence, at: now)
        guard let card = recipient.card else { return }
        var ledger = phones[recipient.phone].cards[card].ledger
        if payload.event == .update, ledger.endAccepted {
            totals.updatesAfterEnd += 1
            violate(.updateAfterEnd, sequence, detail: phones[recipient.phone].cards[card].order, at: now)
        }
        if payload.timestamp <= ledger.newestTimestamp {
            totals.timestampRegressions += 1
            let detail = "\(payload.timestamp) after \(ledger.newestTimestamp)"
            violate(.timestampRegression, sequence, detail: detail, at: now)
        }
        ledger.newestTimestamp = max(ledger.newestTimestamp, payload.timestamp)
        if payload.event == .end { ledger.endAccepted = true }
        phones[recipient.phone].cards[card].ledger = ledger
    }

    /// Of pushes and broadcasts alike (sender rule 28).
    mutating func judgeStaleDate(of payload: ActivityPayload, _ sequence: Int, at now: Moment) {
        guard let staleDate = payload.staleDate, staleDate.inMicroseconds <= now.wall else { return }
        violate(.pastStaleDate, sequence, detail: "stale-date \(staleDate)", at: now)
    }
}
