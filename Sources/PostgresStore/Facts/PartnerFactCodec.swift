private import JSONText
private import PartnerEvents
package import Tracking

/// Reads a partner's stored body: the canonical bytes of the members that ingest kept.
package enum PartnerFactCodec {
    /// `occurredAt` is the event time as sent, nil when it had none; `body` the canonical JSON of the kept members,
    /// `{"causationid":"…","data":{…},"sourcetype":"…"}`, checked when it was received.
    package static func fact(
        type: String,
        source: String,
        id: String,
        occurredAt: Instant?,
        recordedAt: Instant,
        flags: FactFlags,
        body: [UInt8]
    ) throws(FactError) -> PartnerFact {
        var digest = Digest()
        digest.add(body)
        return PartnerFact(
            type: EventType(type),
            source: source,
            id: id,
            occurredAt: occurredAt,
            recordedAt: recordedAt,
            flags: flags,
            data: try data(body),
            contentDigest: digest.value
        )
    }

    private static func data(_ body: [UInt8]) throws(FactError) -> PartnerData {
        guard !body.isEmpty else { return PartnerData() }
        guard let root = try? JSON.parse(body) else { throw FactError(.malformedJSON) }
        var data = PartnerData()
        do throws(PartnerDataError) {
            data = try PartnerData(root["data"]?.objectValue ?? JSONObject())
        } catch {
            switch error.code {
            case .missingMember: throw FactError(.missingMember, error.member)
            case .badValue: throw FactError(.badValue, error.member)
            }
        }
        data.answers = root["causationid"]?.stringValue
        return data
    }
}
