internal import Crypto
internal import JSONText

extension World {
    /// How much of a phone is written.
    enum Detail {
        case cards
        case pushes
    }

    /// `GET /phones/{id}`, or an item of a list.
    func write(phone index: Int, with detail: Detail, to writer: inout JSONWriter, at now: Moment) {
        let phone = phones[index]
        writer.beginObject()
        writer.name("id")
        writer.string(phone.id)
        writer.name("customer")
        writer.value(.optional(phone.customer))
        writer.name("app")
        writer.string(apps[phone.app].id)
        writer.name("os")
        writer.string(phone.os)
        writer.name("environment")
        writer.string(phone.environment.rawValue)
        writer.name("preset")
        writer.string(phone.preset.rawValue)
        writer.name("appState")
        writer.string(phone.application.rawValue)
        writer.name("installed")
        writer.bool(phone.isInstalled)
        writer.name("online")
        writer.bool(phone.isOnline)
        writer.name("activitiesEnabled")
        writer.bool(phone.activitiesEnabled)
        writer.name("frequentPushes")
        writer.bool(phone.frequentPushes)
        writer.name("notificationsAllowed")
        writer.bool(phone.allowsNotifications)
        writer.name("alerts")
        writer.beginArray()
        for alert in phone.alerts { write(alert, to: &writer) }
        writer.endArray()
        writer.name("notifications")
        writer.integer(phone.notifications)
        // Whether the app has told Doorstep everything it had to tell.
        writer.name("reported")
        writer.bool(phone.calls.isEmpty)
        if detail == .pushes {
            writer.name("tokens")
            writer.value(["start": .string(phone.startToken.value), "device": .string(phone.deviceToken)])
        }
        writer.name("cards")
        writer.beginArray()
        for card in phone.cards { write(card: card, with: detail, to: &writer, at: now) }
        writer.endArray()
        if detail == .pushes {
            writer.name("pushes")
            writer.beginArray()
            for sequence in phone.requests {
                if let record = log[sequence] { write(record, sequence, with: detail, to: &writer) }
            }
            writer.endArray()
        }
        writer.endObject()
    }

    private func write(_ alert: PhoneAlert, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.time("at", alert.at)
        writer.name("title")
        writer.value(.optional(alert.title))
        writer.name("body")
        writer.value(.optional(alert.body))
        writer.name("collapseId")
        writer.value(.optional(alert.collapseID))
        writer.endObject()
    }

    private func write(card: Card, with detail: Detail, to writer: inout JSONWriter, at now: Moment) {
        let ending = card.ending(at: now.phone)
        writer.beginObject()
        writer.name("order")
        writer.string(card.order)
        writer.name("incarnation")
        writer.value(card.incarnation.map { .integer($0) } ?? .null)
        writer.name("activity")
        writer.string(card.activity.description)
        writer.name("state")
        writer.string(card.state(at: now.phone).rawValue)
        writer.name("content")
        writer.raw(card.content.bytes)
        writer.name("attributes")
        writer.raw(card.attributes)
        writer.time("startedAt", card.startedAt)
        writer.time("staleAt", card.staleAt)
        writer.time("endedAt", ending?.at)
        writer.time("dismissAt", ending?.dismissAt)
        writer.name("channel")
        writer.value(.optional(card.channel.map { channels[$0].id }))
        if detail == .pushes {
            writer.name("updateToken")
            writer.value(card.channel == nil ? .string(card.updateToken) : .null)
        }
        writer.endObject()
    }

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
        if detail == .pushes {
            writer.name("payload")
            writer.value(payload(record.broadcast.map(Int.init) ?? sequence))
        }
        writer.name("applied")
        writer.bool(record.verdict?.isApplied ?? false)
        writer.name("why")
        writer.value(record.why)
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
        guard let verdict else { return status == 0 ? "unanswered" : "refused" }
        return verdict.isApplied ? .null : .string(verdict.rawValue)
    }
}

extension JSONWriter {
    /// A time member, microseconds as RFC 3339.
    mutating func time(_ name: String, _ microseconds: Int64?) {
        self.name(name)
        value(.optional(microseconds.map(RFC3339.format)))
    }

    mutating func integer(_ name: String, _ number: Int64?) {
        self.name(name)
        value(number.map { .integer($0) } ?? .null)
    }
}
