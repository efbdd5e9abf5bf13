internal import Crypto
private import JSONText

extension World {
    /// One request to the provider API.
    mutating func receive(_ request: PushRequest, on key: ConnectionKey, at now: Moment) -> PushReply {
        var record = RequestRecord(
            receivedWall: now.wall,
            receivedPhone: now.phone,
            environment: key.environment,
            connection: requested(on: key),
            apnsID: request.first("apns-id").flatMap { UUID128($0) } ?? .random(using: &generator),
            bytes: Int32(clamping: request.body.count)
        )
        var actions: [PushReply.ConnectionAction] = []
        var effect: Fault.Effect?
        var refusal: Refusal?
        do throws(Refusal) {
            let order = try admit(request, on: key, at: now, &record, &actions)
            let payload = order.recipient.kind == .device ? nil : ActivityPayload(request.body)
            describe(payload, order, in: &record)
            effect = strike(order, payload, record, at: now)
            if case .answer(let scripted) = effect { throw scripted }
            if effect?.reachesPhone ?? true {
                try refuseDeadOrHasty(order, at: now)
                accept(order, payload, record, body: request.body, at: now)
            } else {
                record.status = 0
                record.reason = effect?.word
                log.append(record, body: request.body)
            }
        } catch {
            refusal = error
            refuse(error, isScripted: effect?.word == "answer", record, body: request.body, at: now)
        }
        if let action = effect?.connectionAction { actions.append(action) }
        if let action = connections[key]?.standing.answered(refusal) { actions.append(.init(action)) }
        return PushReply(
            apnsID: record.apnsID,
            uniqueID: key.environment == .sandbox ? .random(using: &generator) : nil,
            refusal: refusal,
            delivery: effect?.delivery ?? .answer,
            connectionActions: actions
        )
    }

    private func describe(_ payload: ActivityPayload?, _ order: PushOrder, in record: inout RequestRecord) {
        guard let payload else {
            record.event = order.recipient.kind == .device ? .alert : .unknown
            return
        }
        switch payload.event {
        case .start: record.event = .start
        case .update: record.event = .update
        case .end: record.event = .end
        }
        record.timestamp = payload.timestamp
        let revisionKey = apps[order.recipient.app].schema.revisionKey
        record.revision = payload.contentState?[revisionKey]?.int64Value
    }

    private mutating func strike(
        _ order: PushOrder,
        _ payload: ActivityPayload?,
        _ record: RequestRecord,
        at now: Moment
    ) -> Fault.Effect? {
        guard !faults.isEmpty else { return nil }
        let phone = phones[order.recipient.phone]
        let started = payload?.attributes?[schema(of: order.recipient.phone).orderKey]?.stringValue
        let subject = Fault.Subject(
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
        return faults.strike(subject, at: now.wall, using: &generator)
    }

    private mutating func refuse(
        _ refusal: Refusal,
        isScripted: Bool,
        _ record: RequestRecord,
        body: [UInt8],
        at now: Moment
    ) {
        var record = record
        record.status = UInt16(clamping: refusal.status)
        record.reason = refusal.reason
        log.append(record, body: body)
        totals.refused[refusal.reason, default: 0] += 1
        if let phone = record.phone { phones[Int(phone)].requests.append(log.lastSequence) }
        guard !isScripted, let rule = Reason(rawValue: refusal.reason)?.senderFault else { return }
        if rule == .oversizedPayload { totals.oversizedPayloads += 1 }
        violate(rule, log.lastSequence, detail: "\(refusal.reason), \(body.count) bytes", at: now)
    }

    private mutating func accept(
        _ order: PushOrder,
        _ payload: ActivityPayload?,
        _ record: RequestRecord,
        body: [UInt8],
        at now: Moment
    ) {
        let index = order.recipient.phone
        log.append(record, body: body)
        let sequence = log.lastSequence
        totals.accepted[record.event, default: 0] += 1
        if record.priority == 10 { totals.priorityTen += 1 }
        let isAlert = order.recipient.kind == .device && order.pushType != .background
        if payload?.hasAlert == true || isAlert { totals.alerts += 1 }
        keepLedger(of: order.recipient, payload, sequence, at: now)
        if let replaced = phones[index].stored, !phones[index].isOnline, order.expiration != 0 {
            settle(replaced.sequence, Reaction(verdict: .replaced), on: index, at: now)
        }
        let push = Push(
            sequence: sequence,
            kind: order.recipient.kind,
            card: order.recipient.card,
            payload: payload,
            alert: isAlert ? PhoneAlert(body, collapseID: order.collapseID, at: now.phone) : nil,
            expiration: order.expiration,
            updateToken: order.recipient.kind == .start ? mint() : nil
        )
        phones[index].requests.append(sequence)
        let reaction = phones[index].accept(push, schema: schema(of: index), at: now, using: &generator)
        settle(sequence, reaction, on: index, at: now)
    }

    /// What any sender must keep to, whatever the phone makes of it (sender rules 23, 28; no update after an end).
    private mutating func keepLedger(
        of recipient: Recipient,
        _ payload: ActivityPayload?,
        _ sequence: Int,
        at now: Moment
    ) {
        guard let payload else { return }
        if let staleDate = payload.staleDate, staleDate * 1_000_000 <= now.wall {
            violate(.pastStaleDate, sequence, detail: "stale-date \(staleDate)", at: now)
        }
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
}
