internal import Crypto

extension World {
    /// One request to one of the listeners.
    mutating func receive(_ request: PushRequest, on key: ConnectionKey, at now: Moment) -> PushReply {
        let isPush = key.service == .provider && !ChannelAction.isBroadcast(request.path)
        let name = isPush ? PushReply.IDHeader.apnsID : .requestID
        var visit = Visit(
            request: request,
            key: key,
            now: now,
            record: RequestRecord(
                receivedWall: now.wall,
                receivedPhone: now.phone,
                environment: key.environment,
                connection: requested(on: key, at: now),
                apnsID: request.first(name.rawValue).flatMap { UUID128($0) } ?? .random(using: &generator),
                bytes: Int32(clamping: request.body.count)
            )
        )
        totals.requests += 1
        let refusal = answer(&visit, isPush: isPush)
        if let action = visit.effect?.connectionAction { visit.actions.append(action) }
        if let action = connections[key]?.standing.answered(refusal) { visit.actions.append(ConnectionAction(action)) }
        return PushReply(
            idHeader: name,
            apnsID: visit.record.apnsID,
            date: apnsTime(now) / 1_000_000,
            uniqueID: isPush && key.environment == .sandbox ? .random(using: &generator) : nil,
            success: visit.success,
            refusal: refusal,
            delivery: visit.effect?.delivery ?? .answer,
            connectionActions: visit.actions
        )
    }

    /// Judges the request and does what it asks; nil when it succeeded.
    private mutating func answer(_ visit: inout Visit, isPush: Bool) -> Refusal? {
        do throws(Refusal) {
            if isPush {
                try push(&visit)
            } else {
                try useChannels(&visit)
            }
            return nil
        } catch {
            refuse(error, visit)
            return error
        }
    }

    /// Looks for a scripted misbehaviour; whether the request is processed all the same. `subject` is asked only when
    /// there are faults at all.
    mutating func meetsNoObstacle(
        _ visit: inout Visit,
        _ subject: (World, Visit) -> Fault.Subject
    ) throws(Refusal) -> Bool {
        guard !faults.isEmpty else { return true }
        let subject = subject(self, visit)
        guard let effect = faults.strike(subject, at: visit.now.wall, using: &generator) else { return true }
        visit.effect = effect
        if case .answer(let scripted) = effect { throw scripted }
        guard !effect.reachesPhone else { return true }
        visit.record.status = 0
        visit.record.reason = effect.word
        log.append(visit.record, body: visit.request.body)
        return false
    }

    /// Nobody can know of a well-formed token that it is no phone's: only one of the other environment (sender rule 2) and
    /// one that is no token at all (sender rule 20) are the sender's fault.
    private func isAboutTokenOfNobody(_ refusal: Refusal, _ visit: Visit) -> Bool {
        refusal == Refusal(.badDeviceToken) && visit.record.tokenKind == nil
            && String(visit.request.path.split(separator: "/").last ?? "").isPushToken
    }

    private mutating func refuse(_ refusal: Refusal, _ visit: Visit) {
        var record = visit.record
        record.status = UInt16(clamping: refusal.status)
        record.reason = refusal.reason
        log.append(record, body: visit.request.body)
        totals.refused[refusal.reason, default: 0] += 1
        if let phone = record.phone { phones[Int(phone)].requests.append(log.lastSequence) }
        guard visit.effect?.word != "answer", let rule = Reason(rawValue: refusal.reason)?.senderFault,
            !isAboutTokenOfNobody(refusal, visit)
        else { return }
        if rule == .oversizedPayload { totals.oversizedPayloads += 1 }
        violate(rule, log.lastSequence, detail: "\(refusal.reason), \(record.bytes) bytes", at: visit.now)
    }
}
