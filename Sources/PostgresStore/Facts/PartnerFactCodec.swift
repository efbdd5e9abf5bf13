private import JSONText
package import Tracking

/// Reads a partner's stored body: the canonical bytes of the members that ingest kept.
package enum PartnerFactCodec {
    /// `occurredAt` is the event time as sent, nil when it had none; `body` the canonical JSON of the kept members,
    /// `{"data":{…},"sourcetype":"…"}`, checked when it was received.
    package static func fact(
        type: String,
        source: String,
        id: String,
        occurredAt: Instant?,
        recordedAt: Instant,
        flags: FactFlags,
        body: [UInt8]
    ) throws(FactError) -> PartnerFact {
        let eventType = EventType(type)
        var time = occurredAt ?? recordedAt
        if flags.contains(.clockAhead) { time = min(time, recordedAt) }
        var digest = Digest()
        digest.add(body)
        return PartnerFact(
            key: FoldKey(time: time, rank: eventType.rank, source: source, id: id),
            type: eventType,
            data: try data(body),
            flags: flags,
            contentDigest: digest.value
        )
    }

    private static func data(_ body: [UInt8]) throws(FactError) -> PartnerData {
        var data = PartnerData()
        guard !body.isEmpty else { return data }
        let root = try Members(parsing: body)
        guard root.optional("data") != nil else { return data }
        let members = try root.object("data")
        data.customer = members.optionalText("customer").map { CustomerID($0) }
        if members.optional("restaurant") != nil {
            let restaurant = try members.object("restaurant")
            data.restaurant = PartnerData.Restaurant(
                id: restaurant.optionalText("id"),
                name: restaurant.optionalText("name"),
                timeZone: restaurant.optionalText("timeZone")
            )
        }
        if members.optional("courier") != nil {
            let courier = try members.object("courier")
            data.courier = PartnerData.Courier(id: courier.optionalText("id"), name: courier.optionalText("name"))
        }
        data.eta = try stated(members, "eta")
        data.pickupETA = try stated(members, "pickupEta")
        if members.optional("references") != nil {
            for (name, value) in try members.entries("references") { data.references[name] = value.stringValue }
        }
        data.displayNumber = members.optionalText("displayNumber")
        data.scheduledFor = try members.optionalInstant("scheduledFor")
        data.progress = members.optional("progress")?.doubleValue
        data.batch = members.optionalText("batch")
        data.reason = members.optionalText("reason")
        data.by = members.optionalText("by")
        data.phase = members.optionalText("phase").flatMap { Phase(name: $0) }
        if members.optional("voids") != nil {
            let target = try members.object("voids")
            data.voids = EventReference(source: try target.text("source"), id: try target.text("id"))
        }
        return data
    }

    private static func stated(_ members: Members, _ name: String) throws(FactError) -> Stated<Instant> {
        guard members.states(name) else { return .absent }
        guard let moment = try members.optionalInstant(name) else { return .unknown }
        return .known(moment)
    }
}
