private import Crypto
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
        let options = try options(of: action, on: index, request.json())
        perform(action, on: index, options, at: now)
        var writer = JSONWriter(capacity: 1024)
        write(phone: index, with: .cards, to: &writer, at: now)
        return ControlReply(body: writer.bytes)
    }

    /// The phones that something happened to last, or the one asked for (`?phone=`), for the live page.
    func live(_ request: ControlRequest, at now: Moment) throws(ControlProblem) -> ControlReply {
        var indices = recent.indices
        let isAlone = request.query["phone"] != nil
        if let id = request.query["phone"] {
            guard let index = phoneIndex[id] else {
                throw ControlProblem(404, "no phone of this id; GET /phones lists them")
            }
            indices = [index]
        }
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

    private func options(of action: Action, on phone: Int, _ json: JSON) throws(ControlProblem) -> ActionOptions {
        var form = try Form(json)
        var options = ActionOptions()
        switch action {
        case .dismiss, .allow: options.activity = try form.take("activity", .activity(of: phones[phone]))
        case .rotate: options.kind = try form.take("kind", .word(of: [.start, .update, .device]))
        case .login: options.customer = try form.need("customer", .name)
        case .open, .background, .terminate, .forceQuit, .offline, .online, .uninstall, .disable, .enable, .frequentOn,
            .frequentOff, .notificationsOn, .notificationsOff, .allowAlways, .deny, .killStartToken, .logout:
            break
        }
        try form.end()
        return options
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
            let order = try phoneOrder(Form(json))
            let isNew = add(order, at: now) == .added
            var writer = JSONWriter(capacity: 1024)
            write(phone: try find(order.id), with: .cards, to: &writer, at: now)
            return ControlReply(status: isNew ? 201 : 200, body: writer.bytes)
        }
        var orders: [PhoneOrder] = []
        orders.reserveCapacity(list.count)
        for (place, item) in list.enumerated() { orders.append(try phoneOrder(Form(item, at: "[\(place)]."))) }
        let created = orders.count { add($0, at: now) == .added }
        return .json(
            ["created": .integer(created), "known": .integer(orders.count - created)],
            status: created > 0 ? 201 : 200
        )
    }

    private func phoneOrder(_ form: Form) throws(ControlProblem) -> PhoneOrder {
        var form = form
        let id = try form.need("id", .name)
        let app = try form.take("app", .app(of: apps)) ?? 0
        guard apps.indices.contains(app) else { throw form.problem("app", "is needed: there is none so far") }
        var order = PhoneOrder(
            id: id,
            customer: try form.take("customer", .name),
            app: app,
            preset: try form.take("preset", .word) ?? defaultPreset
        )
        order.environment = try form.take("environment", .word) ?? order.environment
        order.os = try form.take("os", .version("17.2")) ?? order.os
        order.build = try form.take("build", .version("2.10")) ?? order.build
        order.prompt = try form.take("prompt", .word) ?? order.prompt
        order.attributesTypes = try form.take("attributesTypes", .list(.attributesType(of: apps[app])))
        order.locale = try form.take("locale", .name) ?? order.locale
        order.timeZone = try form.take("timeZone", .timeZone) ?? order.timeZone
        try form.end()
        return order
    }
}

extension Rule where Value == Int {
    /// Read as the index of the app.
    fileprivate static func app(of apps: [SimulatorSettings.App]) -> Rule {
        Rule("the id of an app: \(apps.map(\.id).joined(separator: ", "))") { json in
            json.stringValue.flatMap { id in apps.firstIndex { $0.id == id } }
        }
    }
}

extension Rule where Value == String {
    fileprivate static func attributesType(of app: SimulatorSettings.App) -> Rule {
        let known = app.schemas.map(\.attributesType)
        return Rule("one of \(known.joined(separator: ", "))") { json in
            json.stringValue.flatMap { known.contains($0) ? $0 : nil }
        }
    }

    fileprivate static func activity(of phone: Phone) -> Rule {
        let activities = phone.cards.map(\.activity.description)
        return Rule("the activity of a card of this phone") { json in
            json.stringValue.flatMap { activities.contains($0) ? $0 : nil }
        }
    }
}
