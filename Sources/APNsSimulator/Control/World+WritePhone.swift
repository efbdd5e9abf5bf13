internal import Crypto
internal import JSONText

extension World {
    /// How much of a phone is written.
    enum Detail {
        case cards
        /// With tokens, payloads and everything that came.
        case pushes
        /// What the live page draws: so many of the last pushes, without payloads.
        case live(pushes: Int)

        var hasSecrets: Bool {
            switch self {
            case .pushes: true
            case .cards, .live: false
            }
        }
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
        writer.name("build")
        writer.string(phone.build)
        writer.name("attributesTypes")
        writer.value(.array(schemas(of: index).map { .string($0.attributesType) }))
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
        writer.name("prompt")
        writer.string(phone.prompt.rawValue)
        writer.name("alerts")
        writer.beginArray()
        for alert in phone.alerts { write(alert, to: &writer) }
        writer.endArray()
        writer.name("notifications")
        writer.integer(phone.notifications)
        // Whether the app has told Doorstep everything it had to tell.
        writer.name("reported")
        writer.bool(phone.calls.isEmpty)
        if detail.hasSecrets {
            writer.name("tokens")
            writer.value([
                "start": phone.startsByPush ? .string(phone.startToken.value) : .null,
                "starts": .object(phone.startsByPush ? phone.tokensByType : [:]),
                "device": .string(phone.deviceToken),
            ])
        }
        writer.name("cards")
        writer.beginArray()
        for card in phone.cards { write(card: card, with: detail, to: &writer, at: now) }
        writer.endArray()
        writeHistory(of: index, with: detail, to: &writer, at: now)
        writer.endObject()
    }

    private func writeHistory(of index: Int, with detail: Detail, to writer: inout JSONWriter, at now: Moment) {
        let phone = phones[index]
        switch detail {
        case .cards: break
        case .pushes:
            writer.name("pushes")
            writer.beginArray()
            for sequence in phone.requests {
                if let record = log[sequence] { write(record, sequence, with: detail, to: &writer) }
            }
            writer.endArray()
            writer.name("log")
            writer.beginArray()
            for line in phone.log.lines { write(line, to: &writer) }
            writer.endArray()
        case .live(let count):
            let island = phone.island(at: now.phone, alertDuration: knobs.phones.alertDuration)
            writer.name("island")
            let activities = island.cards.map { JSON.string(phone.cards[$0].activity.description) }
            writer.value(["mode": .string(island.mode), "activities": .array(activities)])
            writer.name("recent")
            writer.beginArray()
            for sequence in phone.requests.suffix(count).reversed() {
                if let record = log[sequence] { write(record, sequence, with: detail, to: &writer) }
            }
            writer.endArray()
        }
    }

    private func write(_ line: PhoneLog.Line, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.time("at", line.at)
        writer.integer("push", line.request.map(Int64.init))
        writer.name("text")
        writer.string(line.text)
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
        writer.name("attributesType")
        writer.string(card.attributesType)
        writer.name("state")
        writer.string(card.state(at: now.phone).rawValue)
        writer.name("phase")
        writer.value(.optional(card.content.phase))
        writer.integer("revision", card.content.revision)
        writer.name("awaitsPrompt")
        writer.bool(!card.isPromptAllowed && ending == nil)
        writer.name("alert")
        if let alert = card.alert { write(alert, to: &writer) } else { writer.value(.null) }
        writer.name("content")
        writer.raw(card.content.bytes)
        writer.name("attributes")
        writer.raw(card.attributes)
        writer.time("startedAt", card.startedAt)
        writer.time("staleAt", card.staleAt)
        writer.time("endedAt", ending?.at)
        writer.time("dismissAt", ending?.dismissAt)
        writer.name("endedBy")
        writer.value(.optional(ending?.cause.word))
        writer.name("channel")
        writer.value(.optional(card.channel.map { channels[$0].id }))
        if detail.hasSecrets {
            writer.name("updateToken")
            writer.value(card.channel == nil ? .string(card.updateToken) : .null)
        }
        writer.endObject()
    }
}

extension Phone {
    /// Start tokens by the type they start, where each has its own.
    fileprivate var tokensByType: JSONObject {
        let members = startTokens.compactMap { token in
            token.attributesType.map { JSONObject.Member(name: $0, value: .string(token.value)) }
        }
        return JSONObject(members)
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
