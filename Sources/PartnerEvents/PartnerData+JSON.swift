package import JSONText
package import Tracking

extension PartnerData {
    /// Reads an event's `data`: the members that Doorstep keeps, all others left aside.
    ///
    /// Ingest has checked what it stored, so that only times, references and what a void retracts can be wrong here. A
    /// time without offset is read as UTC.
    package init(_ members: JSONObject) throws(PartnerDataError) {
        self.init()
        customer = members.text("customer").map { CustomerID($0) }
        restaurant = members.object("restaurant").map {
            Restaurant(id: $0.text("id"), name: $0.text("name"), timeZone: $0.text("timeZone"))
        }
        courier = members.object("courier").map { Courier(id: $0.text("id"), name: $0.text("name")) }
        eta = try members.stated("eta")
        pickupETA = try members.stated("pickupEta")
        references = try members.texts("references")
        displayNumber = members.text("displayNumber")
        scheduledFor = try members.time("scheduledFor")
        progress = members["progress"]?.doubleValue
        batch = members.text("batch")
        reason = members.text("reason")
        by = members.text("by")
        phase = members.text("phase").flatMap { Phase(name: $0) }
        voids = try members.object("voids")?.reference()
    }
}

extension PartnerFact {
    /// A partner's event as the fold sees it. `occurredAt` is the event time as sent, nil when it had none;
    /// `contentDigest` is equal for equal content under different ids.
    package init(
        type: EventType,
        source: String,
        id: String,
        occurredAt: Instant?,
        recordedAt: Instant,
        flags: FactFlags,
        data: PartnerData,
        contentDigest: UInt64
    ) {
        var time = occurredAt ?? recordedAt
        if flags.contains(.clockAhead) { time = min(time, recordedAt) }
        self.init(
            key: FoldKey(time: time, rank: type.rank, source: source, id: id),
            type: type,
            data: data,
            flags: flags,
            contentDigest: contentDigest
        )
    }
}

extension JSONObject {
    fileprivate func text(_ name: String) -> String? { self[name]?.stringValue }

    /// A member that is there and not null; one that is no object has no members.
    fileprivate func object(_ name: String) -> JSONObject? {
        guard let value = self[name], !value.isNull else { return nil }
        return value.objectValue ?? JSONObject()
    }

    fileprivate func time(_ name: String) throws(PartnerDataError) -> Instant? {
        guard let value = self[name], !value.isNull else { return nil }
        guard let moment = value.stringValue.flatMap({ RFC3339.parse($0) }) else {
            throw PartnerDataError(code: .badValue, member: name)
        }
        return Instant(microseconds: moment.microseconds)
    }

    /// The texts of an object, by name; none when it is absent or null.
    fileprivate func texts(_ name: String) throws(PartnerDataError) -> [String: String] {
        guard let value = self[name], !value.isNull else { return [:] }
        guard let object = value.objectValue else { throw PartnerDataError(code: .badValue, member: name) }
        var texts: [String: String] = [:]
        for member in object.members { texts[member.name] = member.value.stringValue }
        return texts
    }

    fileprivate func stated(_ name: String) throws(PartnerDataError) -> Stated<Instant> {
        guard self[name] != nil else { return .absent }
        return try time(name).map { .known($0) } ?? .unknown
    }

    fileprivate func reference() throws(PartnerDataError) -> EventReference {
        guard let source = text("source") else { throw PartnerDataError(code: .missingMember, member: "source") }
        guard let id = text("id") else { throw PartnerDataError(code: .missingMember, member: "id") }
        return EventReference(source: source, id: id)
    }
}
