private import Crypto
internal import JSONText

extension World {
    /// `GET|POST /settings`: the knobs, absent members staying as they are.
    mutating func settings(_ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        if request.method == "POST" {
            var changed = knobs
            for member in try request.json().objectValue?.members ?? [] {
                guard changed.set(member.name, member.value) else {
                    throw ControlProblem(422, "\(member.name): unknown, or no value for it")
                }
            }
            knobs = changed
        }
        return .json(knobs.json)
    }

    /// `POST /apps {id, bundleId, schema}`: an app with a contract of its own, or with `doorstep.v1` when it names none.
    mutating func addApp(_ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        guard request.method == "POST" else { throw Self.notAllowed(request) }
        let json = try request.json()
        guard let id = json["id"]?.stringValue, let bundleID = json["bundleId"]?.stringValue else {
            throw ControlProblem(422, "id and bundleId are needed")
        }
        var app = SimulatorSettings.App(id: id, bundleID: bundleID)
        if let described = json["schema"] {
            guard let schema = ActivitySchema(described) else { throw ControlProblem(422, "schema: not understood") }
            app.schema = schema
        }
        register(app)
        return .json(["id": .string(id)], status: 201)
    }

    /// `POST /keys {id, team, publicKey, environments, bundleIds}`: registers a key or puts another in its place.
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
                bundleIDs: json["bundleIds"]?.arrayValue.map { Set($0.compactMap(\.stringValue)) }
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

extension Knobs {
    fileprivate var json: JSON {
        func seconds(_ lag: Int64?) -> JSON { lag.map { .double(Double($0) / 1e6) } ?? .null }
        return [
            "rotatedLagSeconds": seconds(lags.rotated),
            "endedLagSeconds": seconds(lags.ended),
            "dismissedLagSeconds": seconds(lags.dismissed),
            "uninstalledLagSeconds": seconds(lags.uninstalled),
            "requestsPerSecond": .double(rate.perSecond),
            "requestBurst": .double(rate.burst),
            "untrustedStreams": .integer(standing.untrusted),
            "trustedStreams": .integer(standing.trusted),
            "slowAt": .integer(standing.slowAt),
            "disconnectAt": .integer(standing.disconnectAt),
            "channelLimit": .integer(channelLimit),
        ]
    }

    /// Whether there is such a knob and the value fits it; a lag of null never ends.
    fileprivate mutating func set(_ name: String, _ value: JSON) -> Bool {
        let number = value.doubleValue.flatMap { $0 >= 0 && $0 < 1e12 ? $0 : nil }
        let lag = number.map { Int64($0 * 1_000_000) }
        guard number != nil || value.isNull && name.hasSuffix("LagSeconds") else { return false }
        switch name {
        case "rotatedLagSeconds": lags.rotated = lag
        case "endedLagSeconds": lags.ended = lag
        case "dismissedLagSeconds": lags.dismissed = lag
        case "uninstalledLagSeconds": lags.uninstalled = lag
        case "requestsPerSecond": rate.perSecond = number ?? rate.perSecond
        case "requestBurst": rate.burst = number ?? rate.burst
        case "untrustedStreams": standing.untrusted = Int(number ?? 0)
        case "trustedStreams": standing.trusted = Int(number ?? 0)
        case "slowAt": standing.slowAt = Int(number ?? 0)
        case "disconnectAt": standing.disconnectAt = Int(number ?? 0)
        case "channelLimit": channelLimit = Int(number ?? 0)
        case _: return false
        }
        return true
    }
}
