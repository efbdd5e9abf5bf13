import Crypto
import JSONText
import PostgresStore
import Runtime
import Service
import Tracking

/// A moment for event times: ranges of the log exist around today only, event times may lie anywhere.
let noon: Int64 = 1_700_000_000_000_000
let minute: Int64 = 60_000_000

/// Facts as the API writes them.
extension Directory {
    private func own(_ source: OwnSource) -> Int32 { self.own(source, app: Installation.app)?.number ?? 0 }

    private var partner: Int32 { source(named: "pos", app: Installation.app)?.number ?? 0 }

    private func address(_ kind: StreamKind, _ stream: String) -> StreamAddress {
        StreamAddress(app: Installation.app, kind: kind, stream: stream)
    }

    /// A partner's event, `minutes` after noon.
    func event(
        _ order: String,
        _ type: String,
        at minutes: Int64,
        id: String? = nil,
        data: JSONObject = [:],
        expectedVersion: Int32? = nil
    ) -> NewFact {
        let body: JSON = data.isEmpty ? [:] : ["data": .object(data)]
        return NewFact(
            address(.order, order),
            source: partner,
            id: id ?? "\(type)@\(minutes)",
            type: type,
            body: body.canonical(),
            occurredAt: noon + minutes * minute,
            expectedVersion: expectedVersion
        )
    }

    /// A fact of ours with any body, readable or not.
    func fact(_ order: String, _ type: String, _ source: OwnSource = .device, id: String, body: String) -> NewFact {
        NewFact(address(.order, order), source: own(source), id: id, type: type, body: Array(body.utf8))
    }

    func device(
        _ device: String,
        of customer: String?,
        startToken: String?,
        deviceToken: String? = nil,
        notificationsAllowed: Bool = true,
        tokenID: TokenID? = nil,
        observedAt: Int64 = noon,
        sequence: Int64
    ) throws -> NewFact {
        var body: JSONObject = [
            "observedAt": .string(RFC3339.format(observedAt)), "sequence": .integer(sequence),
            "environment": .string("sandbox"),
        ]
        body["customer"] = customer.map { .string($0) }
        body["token"] = try startToken.map { try sealed($0, TokenPurpose.start(DeviceID(device))) }
        body["notificationsAllowed"] = .bool(notificationsAllowed)
        body["deviceToken"] = try deviceToken.map { try sealed($0, TokenPurpose.device(DeviceID(device))) }
        body["tokenId"] = tokenID.map { .string($0.value) }
        return NewFact(
            address(.device, device),
            source: own(.device),
            id: "registered/\(sequence)",
            type: FactType.deviceRegistered,
            body: JSON.object(body).serialized()
        )
    }

    func running(
        _ device: String,
        _ cards: [(order: String, activity: String, incarnation: Int)],
        sequence: Int64
    )
        -> NewFact
    {
        var orders: JSONObject = [:]
        for card in cards {
            let entry: JSON = [
                "activity": .string(card.activity), "incarnation": .integer(card.incarnation),
                "state": .string("active"),
            ]
            orders[card.order] = .array((orders[card.order]?.arrayValue ?? []) + [entry])
        }
        let body: JSON = ["orders": .object(orders), "sequence": .integer(sequence)]
        return NewFact(
            address(.device, device),
            source: own(.device),
            id: "running/\(sequence)",
            type: FactType.deviceRunning,
            body: body.serialized()
        )
    }

    func card(
        _ order: String,
        _ device: String,
        activity: String,
        token: String,
        incarnation: Int,
        sequence: Int64,
        observedAt: Int64 = WallClock.microseconds
    ) throws -> NewFact {
        let body: JSONObject = [
            "device": .string(device), "activity": .string(activity), "startedBy": .string("server"),
            "startedAt": .null, "observedAt": .string(RFC3339.format(observedAt)),
            "incarnation": .integer(incarnation), "sequence": .integer(sequence),
            "token": try sealed(token, TokenPurpose.update(OrderID(order), DeviceID(device))),
        ]
        return NewFact(
            address(.order, order),
            source: own(.device),
            id: "registered/\(activity)/\(sequence)",
            type: FactType.activityRegistered,
            body: JSON.object(body).serialized()
        )
    }

    private func sealed(_ token: String, _ purpose: String) throws -> JSON {
        .string(Base64.encode(try Vault.test.seal(token, purpose: purpose)))
    }
}

extension AppendOutcome {
    var position: LogPosition? {
        switch self {
        case .appended(let position), .duplicate(let position), .reused(let position): position
        case .conflict, .failed: nil
        }
    }
}
