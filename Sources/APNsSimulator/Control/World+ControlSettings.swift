private import Crypto
internal import JSONText

extension World {
    /// `GET|POST /settings`: the knobs, absent members staying as they are; none changes when one has no such value.
    mutating func settings(_ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        if request.method == "POST" {
            var changed = knobs
            for member in try request.json().objectValue?.members ?? [] {
                guard let knob = Knob.named[member.name], knob.set(&changed, member.value) else {
                    throw ControlProblem(422, "\(member.name): unknown, or no value for it")
                }
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
        let json = try request.json()
        guard let id = json["id"]?.stringValue, let bundleID = json["bundleId"]?.stringValue else {
            throw ControlProblem(422, "id and bundleId are needed")
        }
        var app = SimulatorSettings.App(id: id, bundleID: bundleID)
        if let described = json["schemas"]?.arrayValue ?? json["schema"].map({ [$0] }) {
            app.schemas = described.compactMap { ActivitySchema($0) }
            guard app.schemas.count == described.count, !described.isEmpty else {
                throw ControlProblem(422, "schema: not understood")
            }
        }
        register(app)
        return .json(
            ["id": .string(id), "attributesTypes": .array(app.schemas.map { .string($0.attributesType) })],
            status: 201
        )
    }

    /// `POST /keys {id, team, publicKey, environments, topics, related}`: registers a key or puts another in its place.
    /// With `topics` (bundle ids, with or without the suffix of Live Activities) it is a topic-specific one.
    mutating func addKey(_ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        guard request.method == "POST" else { throw Self.notAllowed(request) }
        let json = try request.json()
        guard let id = json["id"]?.stringValue, let team = json["team"]?.stringValue,
            let pem = json["publicKey"]?.stringValue, let key = try? ES256PublicKey(pem: pem)
        else { throw ControlProblem(422, "id, team and publicKey (PEM) are needed") }
        let environments = json["environments"]?.arrayValue?
            .compactMap { $0.stringValue.flatMap(PushEnvironment.init) }
        keys.register(
            ProviderKeyRegistration(
                id: id,
                team: team,
                publicKey: key,
                environments: Set(environments ?? PushEnvironment.allCases),
                bundleIDs: json["topics"]?.arrayValue.map {
                    Set($0.compactMap(\.stringValue).map(RequestRules.bundleID(of:)))
                },
                relatedID: json["related"]?.stringValue
            )
        )
        return .json(["id": .string(id)], status: 201)
    }

    /// `DELETE /keys/{id}`: revokes it.
    mutating func revokeKey(_ id: String, _ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        guard request.method == "DELETE" else { throw Self.notAllowed(request) }
        keys.revoke(id)
        return .noContent
    }
}
