internal import JSONText

extension World {
    mutating func phones(_ request: ControlRequest, at now: Moment) throws(ControlProblem) -> ControlReply {
        switch request.method {
        case "GET": return try phoneList(request, at: now)
        case "POST": return try addPhones(request, at: now)
        case "DELETE":
            deletePhones(at: now)
            return .noContent
        case _: throw Self.notAllowed(request)
        }
    }

    func phone(_ id: String, _ request: ControlRequest, at now: Moment) throws(ControlProblem) -> ControlReply {
        let index = try find(id)
        return try Self.get(request) {
            var writer = JSONWriter(capacity: 4096)
            write(phone: index, with: .pushes, to: &writer, at: now)
            return ControlReply(body: writer.bytes)
        }
    }

    mutating func act(
        _ word: String,
        on id: String,
        _ request: ControlRequest,
        at now: Moment
    ) throws(ControlProblem) -> ControlReply {
        let index = try find(id)
        guard request.method == "POST" else { throw Self.notAllowed(request) }
        guard let action = Action(rawValue: word) else {
            throw ControlProblem(
                404,
                "no such action; there are \(Action.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        let json = try request.json()
        let options = ActionOptions(
            activity: json["activity"]?.stringValue,
            kind: try Self.word("kind", in: json),
            customer: json["customer"]?.stringValue
        )
        if action == .login, options.customer == nil { throw ControlProblem(422, "customer: missing") }
        perform(action, on: index, options, at: now)
        var writer = JSONWriter(capacity: 1024)
        write(phone: index, with: .cards, to: &writer, at: now)
        return ControlReply(body: writer.bytes)
    }

    /// The phones that something happened to last, or the one asked for (`?phone=`), for the live page.
    func live(_ request: ControlRequest, at now: Moment) -> ControlReply {
        let indices = request.query["phone"].map { phoneIndex[$0].map { [$0] } ?? [] } ?? recent.indices
        let isAlone = request.query["phone"] != nil
        var writer = JSONWriter(capacity: 16_384)
        writer.beginObject()
        writer.name("version")
        writer.integer(recent.version)
        writer.name("now")
        writer.string(RFC3339.format(now.phone))
        writer.name("totals")
        writer.value(totalsJSON)
        writer.name("phones")
        writer.beginArray()
        for index in indices { write(phone: index, with: .live(pushes: isAlone ? 30 : 5), to: &writer, at: now) }
        writer.endArray()
        writer.endObject()
        return ControlReply(body: writer.bytes)
    }

    private func find(_ id: String) throws(ControlProblem) -> Int {
        guard let index = phoneIndex[id] else { throw ControlProblem(404, "no phone of this id") }
        return index
    }

    // MARK: - Lists

    private func phoneList(_ request: ControlRequest, at now: Moment) throws(ControlProblem) -> ControlReply {
        let page = try request.page()
        let end = min(phones.count, page.after + page.limit)
        var writer = JSONWriter(capacity: 65_536)
        writer.beginObject()
        writer.name("items")
        writer.beginArray()
        for index in min(page.after, end)..<end { write(phone: index, with: .cards, to: &writer, at: now) }
        writer.endArray()
        writer.name("next")
        writer.value(end < phones.count ? .string(String(end)) : .null)
        writer.endObject()
        return ControlReply(body: writer.bytes)
    }

    // MARK: - Adding

    /// One phone, or an array of them; ids that are known already are left as they are.
    private mutating func addPhones(_ request: ControlRequest, at now: Moment) throws(ControlProblem) -> ControlReply {
        let json = try request.json()
        guard let list = json.arrayValue else {
            let order = try phoneOrder(json)
            let isNew = add(order, at: now) == .added
            var writer = JSONWriter(capacity: 1024)
            write(phone: try find(order.id), with: .cards, to: &writer, at: now)
            return ControlReply(status: isNew ? 201 : 200, body: writer.bytes)
        }
        var orders: [PhoneOrder] = []
        orders.reserveCapacity(list.count)
        for item in list { orders.append(try phoneOrder(item)) }
        let created = orders.count { add($0, at: now) == .added }
        return .json(
            ["created": .integer(created), "known": .integer(orders.count - created)],
            status: created > 0 ? 201 : 200
        )
    }

    private func phoneOrder(_ json: JSON) throws(ControlProblem) -> PhoneOrder {
        guard let id = json["id"]?.stringValue, !id.isEmpty else { throw ControlProblem(422, "id: missing") }
        let app = json["app"]?.stringValue
        guard let index = app == nil ? 0 : apps.firstIndex(where: { $0.id == app }), apps.indices.contains(index) else {
            throw ControlProblem(422, "app: unknown")
        }
        var order = PhoneOrder(
            id: id,
            customer: json["customer"]?.stringValue,
            app: index,
            preset: try Self.word("preset", in: json) ?? defaultPreset
        )
        order.environment = try Self.word("environment", in: json) ?? .sandbox
        order.os = json["os"]?.stringValue ?? order.os
        order.build = json["build"]?.stringValue ?? order.build
        order.prompt = try Self.word("prompt", in: json) ?? order.prompt
        order.attributesTypes = try attributesTypes(json["attributesTypes"], app: index)
        order.locale = json["locale"]?.stringValue ?? order.locale
        order.timeZone = json["timeZone"]?.stringValue ?? order.timeZone
        return order
    }

    private func attributesTypes(_ json: JSON?, app: Int) throws(ControlProblem) -> [String]? {
        guard let json, !json.isNull else { return nil }
        let known = apps[app].schemas.map(\.attributesType)
        let names = json.arrayValue?.compactMap(\.stringValue) ?? []
        guard !names.isEmpty, names.count == json.arrayValue?.count, names.allSatisfy(known.contains) else {
            throw ControlProblem(422, "attributesTypes: some of \(known.joined(separator: ", "))")
        }
        return names
    }

    /// A member that is one of an enum's words; nil when absent.
    static func word<Word: RawRepresentable>(
        _ name: String,
        in json: JSON
    ) throws(ControlProblem) -> Word? where Word.RawValue == String {
        guard let value = json[name], !value.isNull else { return nil }
        guard let word = value.stringValue.flatMap(Word.init) else {
            throw ControlProblem(422, "\(name): unknown word")
        }
        return word
    }
}
