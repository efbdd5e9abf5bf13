internal import JSONText
internal import PostgresStore
internal import Service
internal import Tracking

extension FactEntry {
    init(_ folded: FoldedFact, _ logged: LoggedFact?) {
        let body = logged.flatMap { try? JSON.parse($0.body) }
        self.init(
            time: logged?.occurredAt ?? folded.fact.key.time.microseconds,
            type: folded.fact.type,
            sourceType: body?["sourcetype"]?.stringValue,
            source: folded.fact.key.source,
            id: folded.fact.key.id,
            effect: folded.effect,
            phase: folded.phase
        )
    }
}

extension TimelineEntry {
    init(_ fact: LoggedFact, source: String, _ folded: FoldedFact?, _ effect: EffectRecord?) {
        let body = (try? JSON.parse(fact.body))?.objectValue ?? [:]
        let isOwn = source.hasPrefix(OwnSource.prefix)
        self.init(
            receipt: Receipt(lane: Int(fact.lane), pos: fact.pos, version: Int(fact.version)),
            recordedAt: fact.recordedAt,
            occurredAt: fact.occurredAt,
            type: fact.type,
            sourceType: isOwn ? nil : body["sourcetype"]?.stringValue,
            source: source,
            id: fact.id,
            flags: fact.flags,
            actor: fact.actor,
            effect: isOwn ? nil : folded?.effect,
            phase: isOwn ? nil : folded?.phase,
            details: isOwn ? Self.withoutSecrets(body) : [:],
            decisions: effect.map { TimelineDecision.list($0) } ?? []
        )
    }

    /// Sealed tokens are nobody's business, sealed or not.
    private static func withoutSecrets(_ body: JSONObject) -> JSONObject {
        var shown = body
        shown["token"] = nil
        return shown
    }
}

extension TimelineDecision {
    /// The decisions of a record, as they were written.
    static func list(_ effect: EffectRecord) -> [TimelineDecision] {
        let items = (try? DecisionCodec.json(effect.items))?.arrayValue ?? []
        return items.compactMap { item in
            guard var details = item.objectValue, let device = details["device"]?.stringValue,
                let incarnation = details["incarnation"]?.int64Value, let verdict = details["decision"]?.stringValue,
                let reason = details["reason"]?.stringValue
            else { return nil }
            for name in ["device", "incarnation", "decision", "reason"] { details[name] = nil }
            return TimelineDecision(
                device: DeviceID(device),
                incarnation: Int(incarnation),
                verdict: verdict,
                reason: reason,
                policyVersion: effect.policy,
                details: details
            )
        }
    }
}
