internal import Crypto
internal import JSONText

extension World {
    /// One request: a push of a phone with its payload, or an item of `GET /requests`.
    func write(_ record: RequestRecord, _ sequence: Int, with detail: Detail, to writer: inout JSONWriter) {
        let phone = record.phone.map { phones[Int($0)] }
        let card = record.card.flatMap { phone?.cards[Int($0)] }
        writer.beginObject()
        writer.name("sequence")
        writer.integer(sequence)
        writer.time("at", record.receivedWall)
        writer.name("receivedMicroseconds")
        writer.integer(record.receivedWall)
        writer.name("environment")
        writer.string(record.environment.rawValue)
        writer.name("connection")
        writer.integer(record.connection)
        writer.name("phone")
        writer.value(.optional(phone?.id))
        writer.name("order")
        writer.value(.optional(card?.order))
        writer.name("incarnation")
        writer.value(card?.incarnation.map { .integer($0) } ?? .null)
        writer.name("activity")
        writer.value(.optional(card?.activity.description))
        writer.name("event")
        writer.string(record.event.rawValue)
        writer.name("tokenKind")
        writer.value(.optional(record.tokenKind?.rawValue))
        writer.name("channel")
        writer.value(.optional(record.channel.map { channels[Int($0)].id }))
        writer.integer("broadcast", record.broadcast.map(Int64.init))
        writer.name("priority")
        writer.integer(record.priority)
        writer.integer("timestamp", record.timestamp)
        writer.integer("expiration", record.expiration)
        writer.integer("revision", record.revision)
        writer.name("apnsId")
        writer.string(record.apnsID.description)
        writer.name("status")
        writer.integer(record.status)
        writer.name("reason")
        writer.value(.optional(record.reason))
        writer.name("bytes")
        writer.integer(record.bytes)
        if detail.hasSecrets {
            writer.name("payload")
            writer.value(payload(record.broadcast.map(Int.init) ?? sequence))
        }
        writer.name("applied")
        writer.bool(record.verdict?.isApplied ?? false)
        writer.name("why")
        writer.value(record.why)
        writer.name("meaning")
        writer.string(phone?.log.line(about: sequence) ?? record.meaning)
        writer.endObject()
    }

    /// The body as JSON, as text when it is none, null when it is no longer kept.
    private func payload(_ sequence: Int) -> JSON {
        guard let bytes = log.payload(sequence) else { return .null }
        return (try? JSON.parse(bytes)) ?? .string(String(decoding: bytes, as: UTF8.self))
    }
}

extension RequestRecord {
    /// Why the phone does not show it; null when it does.
    fileprivate var why: JSON {
        if let verdict { return verdict.isApplied ? .null : .string(verdict.rawValue) }
        switch status {
        case 0: return "unanswered"
        case 200..<300: return phone == nil ? .null : "dropped"
        case _: return "refused"
        }
    }

    /// The same for people.
    fileprivate var meaning: String {
        verdict?.meaning ?? (status == 0 ? "never answered" : "refused: \(reason ?? String(status))")
    }
}
