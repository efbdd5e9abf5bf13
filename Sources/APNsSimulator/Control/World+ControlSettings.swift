internal import JSONText

extension World {
    /// `GET|POST /settings`: the knobs, absent members staying as they are; none changes when one has no such value.
    mutating func settings(_ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        if request.method == "POST" {
            var changed = knobs
            let members = try request.json().objectValue?.members
            guard let members else { throw ControlProblem(400, "the body must be an object of knobs") }
            for member in members {
                guard let knob = Knob.named[member.name] else {
                    let names = Knob.all.map(\.name).joined(separator: ", ")
                    throw ControlProblem(400, "\(member.name) is unknown; there are \(names)")
                }
                try knob.set(&changed, member.value)
            }
            knobs = changed
        }
        return .json(
            .object(JSONObject(Knob.all.map { JSONObject.Member(name: $0.name, value: $0.value(in: knobs)) }))
        )
    }

    /// `POST /apps {id, bundleId, schema}`: an app with a type of its own, or several (`schemas`, the oldest first), or
    /// `doorstep.v1` when it names none.
    mutating func addApp(_ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        guard request.method == "POST" else { throw Self.notAllowed(request) }
        var form = try Form(request.json())
        var app = SimulatorSettings.App(
            id: try form.need("id", .name),
            bundleID: try form.need("bundleId", .name)
        )
        let one = try form.form("schema").map { [$0] }
        let several = try form.forms("schemas")
        try form.end()
        guard one == nil || several == nil else { throw form.problem("schema", "and schemas exclude each other") }
        if let described = one ?? several {
            app.schemas = []
            for form in described { app.schemas.append(try ActivitySchema(form)) }
        }
        register(app)
        return .json(
            ["id": .string(app.id), "attributesTypes": .array(app.schemas.map { .string($0.attributesType) })],
            status: 201
        )
    }

    /// `POST /keys {id, team, publicKey, environments, topics, related}`: registers a key or puts another in its place.
    /// With `topics` (bundle ids, with or without the suffix of Live Activities) it is a topic-specific one.
    mutating func addKey(_ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        guard request.method == "POST" else { throw Self.notAllowed(request) }
        var form = try Form(request.json())
        let key = ProviderKeyRegistration(
            id: try form.need("id", .name),
            team: try form.need("team", .name),
            publicKey: try form.need("publicKey", .publicKey),
            environments: Set(try form.take("environments", .list(.word)) ?? PushEnvironment.allCases),
            bundleIDs: try form.take("topics", .list(.name)).map { Set($0.map(RequestRules.bundleID(of:))) },
            relatedID: try form.take("related", .name)
        )
        try form.end()
        keys.register(key)
        return .json(["id": .string(key.id)], status: 201)
    }

    /// `DELETE /keys/{id}`: revokes it.
    mutating func revokeKey(_ id: String, _ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        guard request.method == "DELETE" else { throw Self.notAllowed(request) }
        guard keys.registration(id) != nil else {
            throw ControlProblem(404, "no key of this id; POST /keys registers one")
        }
        keys.revoke(id)
        return .noContent
    }
}
