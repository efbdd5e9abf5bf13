private import Crypto
internal import JSONText

extension World {
    /// `GET /requests`: every request, refused ones too.
    func requestList(_ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        let page = try request.page()
        let sequences = log.sequences(after: page.after, limit: page.limit)
        return try Self.get(request) {
            var writer = JSONWriter(capacity: 65_536)
            writer.beginObject()
            writer.name("items")
            writer.beginArray()
            for sequence in sequences {
                if let record = log[sequence] { write(record, sequence, with: .cards, to: &writer) }
            }
            writer.endArray()
            writer.name("next")
            writer.value(next(after: sequences))
            writer.endObject()
            return ControlReply(body: writer.bytes)
        }
    }

    /// `GET /accepted`: the accepted ones as short rows, for figures over hundreds of thousands.
    func acceptedList(_ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        let page = try request.page(maximum: 50_000)
        let sequences = log.sequences(after: page.after, limit: page.limit)
        return try Self.get(request) {
            var writer = JSONWriter(capacity: 65_536)
            writer.beginObject()
            writer.name("columns")
            writer.value(["sequence", "receivedMicroseconds", "phone", "order", "incarnation", "event", "revision"])
            writer.name("rows")
            writer.beginArray()
            for sequence in sequences {
                guard let record = log[sequence], record.status == 200, let index = record.phone else { continue }
                let phone = phones[Int(index)]
                let card = record.card.map { phone.cards[Int($0)] }
                writer.beginArray()
                writer.integer(sequence)
                writer.integer(record.receivedWall)
                writer.string(phone.id)
                writer.value(.optional(card?.order))
                writer.value(card?.incarnation.map { .integer($0) } ?? .null)
                writer.string(record.event.rawValue)
                writer.value(record.revision.map { .integer($0) } ?? .null)
                writer.endArray()
            }
            writer.endArray()
            writer.name("next")
            writer.value(next(after: sequences))
            writer.endObject()
            return ControlReply(body: writer.bytes)
        }
    }

    private func next(after sequences: Range<Int>) -> JSON {
        guard let last = sequences.last, last < log.lastSequence else { return .null }
        return .string(String(last))
    }

    /// `GET /violations`.
    func violationList(_ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        let page = try request.page()
        let found = violations.after(page.after, limit: page.limit)
        let items = found.map { number, violation -> JSON in
            [
                "number": .integer(number),
                "rule": .string(violation.rule.rawValue),
                "at": .string(RFC3339.format(violation.at)),
                "request": violation.request.map { .integer($0) } ?? .null,
                "connection": violation.connection.map { .integer($0) } ?? .null,
                "detail": .string(violation.detail),
            ]
        }
        let last = found.last?.number ?? violations.total
        return try Self.get(request) {
            .json([
                "total": .integer(violations.total),
                "counts": .counts(violations.counts.map { ($0.key.rawValue, $0.value) }),
                "items": .array(items),
                "next": last < violations.total ? .string(String(last)) : .null,
            ])
        }
    }

    /// `GET /summary`: totals, and the cards of each pair of phone and order.
    func summary(_ request: ControlRequest, at now: Moment) throws(ControlProblem) -> ControlReply {
        let page = try request.page()
        let end = min(pairs.count, page.after + page.limit)
        return try Self.get(request) {
            var writer = JSONWriter(capacity: 65_536)
            writer.beginObject()
            writer.name("totals")
            writer.value(totalsJSON)
            writer.name("items")
            writer.beginArray()
            for pair in pairs[min(page.after, end)..<end] { write(pair, to: &writer, at: now) }
            writer.endArray()
            writer.name("next")
            writer.value(end < pairs.count ? .string(String(end)) : .null)
            writer.endObject()
            return ControlReply(body: writer.bytes)
        }
    }

    private func write(_ pair: Pair, to writer: inout JSONWriter, at now: Moment) {
        let phone = phones[pair.phone]
        writer.beginObject()
        writer.name("phone")
        writer.string(phone.id)
        writer.name("order")
        writer.string(pair.order)
        writer.name("cards")
        writer.beginArray()
        for card in phone.cards where card.order == pair.order {
            let ending = card.ending(at: now.phone)
            writer.beginObject()
            writer.name("incarnation")
            writer.value(card.incarnation.map { .integer($0) } ?? .null)
            writer.name("activity")
            writer.string(card.activity.description)
            writer.name("state")
            writer.string(card.state(at: now.phone).rawValue)
            writer.name("ended")
            writer.bool(ending != nil)
            writer.name("phase")
            writer.value(.optional(card.content.phase))
            writer.name("revision")
            writer.value(card.content.revision.map { .integer($0) } ?? .null)
            writer.time("startedAt", card.startedAt)
            writer.time("endedAt", ending?.at)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }

    var totalsJSON: JSON {
        let accepted = RequestRecord.Event.allCases.map { ($0.rawValue, totals.accepted[$0] ?? 0) }
        return [
            "phones": .integer(phones.count),
            "reporting": .integer(phones.count { !$0.calls.isEmpty }),
            "requests": .integer(totals.requests),
            "broadcastDeliveries": .integer(totals.broadcastDeliveries),
            "accepted": .counts(accepted),
            "refused": .counts(totals.refused.map { ($0.key, $0.value) }),
            "outcomes": .counts(totals.verdicts.filter { $0.value > 0 }.map { ($0.key.rawValue, $0.value) }),
            "priorityTen": .integer(totals.priorityTen),
            "alerts": .integer(totals.alerts),
            "pairs": .integer(totals.pairs),
            "cards": .integer(totals.cards),
            "duplicateCards": .integer(totals.duplicateCards),
            "updatesAfterEnd": .integer(totals.updatesAfterEnd),
            "timestampRegressions": .integer(totals.timestampRegressions),
            "oversizedPayloads": .integer(totals.oversizedPayloads),
            "undecodable": .integer(totals.undecodable),
            "violations": .integer(violations.total),
        ]
    }
}

extension JSON {
    /// An object of numbers, by name.
    fileprivate static func counts(_ counts: [(name: String, count: Int)]) -> JSON {
        .object(
            JSONObject(
                counts.sorted { $0.name < $1.name }.map { JSONObject.Member(name: $0.name, value: .integer($0.count)) }
            )
        )
    }
}
