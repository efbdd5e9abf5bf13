internal import Crypto
internal import JSONText
internal import PostgresStore
internal import Runtime
internal import Service
package import Tracking

/// What apps say of their devices, into the devices' streams.
package struct LiveDevices: DevicesPort {
    private let service: LiveService

    package init(_ service: LiveService) { self.service = service }

    package func device(
        _ device: DeviceID,
        awaitingLink wait: Duration?,
        caller: Caller
    ) async throws(Unavailable) -> DeviceView? {
        let app = try service.app(caller)
        let deadline = wait.map { MonotonicTime.now + $0 }
        while true {
            let known = try await service.reading { try await service.devices.device(app: app.number, device) }
            guard let deadline, deadline > .now, known?.isLinked != true else { return known.map { DeviceView($0) } }
            try? await service.settlements.loop.sleep(for: .milliseconds(20))
        }
    }

    package func devices(of customer: CustomerID, caller: Caller) async throws(Unavailable) -> Set<DeviceID> {
        let app = try service.app(caller)
        return try await service.reading { try await service.devices.devices(app: app.number, of: customer) }
    }

    package func register(
        _ device: DeviceID,
        _ registration: DeviceUpdate,
        caller: Caller
    ) async throws(Unavailable) -> RegistrationOutcome {
        let app = try service.app(caller)
        let known = try await service.reading { try await service.devices.device(app: app.number, device) }
        // Only what was folded can be compared: a switch turned off and on again must not be taken for unchanged.
        if let known, known.isCurrent, changesNothing(registration, known, device) {
            return .accepted
        }
        let folded = known.flatMap { $0.stream.version > 0 ? $0.stream.settings.environment : nil }
        let environment = registration.environment.value ?? folded ?? app.environment
        var body = body(registration, environment: known == nil ? app.environment : nil)
        switch registration.pushToStartToken {
        case .absent: break
        case .unknown: body["token"] = .null
        case .known(let token):
            let id = try await service.living(
                token,
                .start,
                environment,
                observedAt: registration.observedAt,
                app: app.number
            )
            guard let id else { return .dead }
            body["tokenId"] = .string(id.value)
            body["token"] = try service.sealed(token, TokenPurpose.start(device))
        }
        switch registration.deviceToken {
        case .absent: break
        case .unknown: body["deviceToken"] = .null
        case .known(let token):
            let id = try await service.living(
                token,
                .device,
                environment,
                observedAt: registration.observedAt,
                app: app.number
            )
            guard let id else { return .dead }
            body["deviceTokenId"] = .string(id.value)
            body["deviceToken"] = try service.sealed(token, TokenPurpose.device(device))
        }
        try await append(FactType.deviceRegistered, of: device, app.number, id: Self.unique(), body, caller)
        return .accepted
    }

    package func remove(_ device: DeviceID, caller: Caller) async throws(Unavailable) {
        let app = try service.app(caller)
        let known = try await service.reading { try await service.devices.device(app: app.number, device) }
        guard let known, !known.isCurrent || known.stream.customer != nil else { return }
        try await append(FactType.deviceLoggedOut, of: device, app.number, id: Self.unique(), [:], caller)
    }

    package func running(
        _ device: DeviceID,
        _ list: RunningList,
        caller: Caller
    ) async throws(Unavailable) -> RunningAnswer {
        let app = try service.app(caller)
        var orders: [String: [JSON]] = [:]
        for card in list.cards {
            orders[card.order.value, default: []].append([
                "activity": .string(card.activity.value),
                "incarnation": card.incarnation.map { .integer($0) } ?? .null,
                "state": .string(card.state.rawValue),
            ])
        }
        let members = orders.sorted { $0.key < $1.key }
            .map { JSONObject.Member(name: $0.key, value: .array($0.value)) }
        let body: JSONObject = [
            "orders": .object(JSONObject(members)), "sequence": list.sequence.map { .integer($0) } ?? .null,
        ]
        let id = list.sequence.map { "running/\($0)" } ?? Self.unique()
        try await append(FactType.deviceRunning, of: device, app.number, id: id, body, caller)
        return try await answer(list, of: device, app.number)
    }

    /// Nothing of orders that are none of this phone's customer (docs/decisions/015).
    private func answer(
        _ list: RunningList,
        of device: DeviceID,
        _ app: Int32
    ) async throws(Unavailable) -> RunningAnswer {
        var answer = RunningAnswer(end: [], orders: [])
        for order in Set(list.cards.map(\.order)).sorted(by: { $0.value < $1.value }) {
            guard let snapshot = try await service.reading({ try await service.orders.order(app: app, order) }) else {
                continue
            }
            let stream = snapshot.stream
            guard stream.concerns(device) else { continue }
            if !stream.wasLeft(by: device) {
                answer.orders.append(
                    RunningAnswer.OrderState(order: order, phase: stream.order.phase, revision: stream.order.revision)
                )
            }
            let over = Set(stream.activities.filter { stream.isToEnd($0) }.compactMap(\.activityID))
            answer.end += list.cards.filter { $0.order == order && over.contains($0.activity) }.map(\.activity)
        }
        return answer
    }

    // MARK: - Facts

    /// An unchanged registration appends no fact: apps repeat themselves at every launch.
    private func changesNothing(
        _ registration: DeviceUpdate,
        _ known: DeviceReader.Snapshot,
        _ device: DeviceID
    ) -> Bool {
        let settings = known.stream.settings
        return registration.customer.keeps(known.stream.customer)
            && registration.environment.keeps(settings.environment)
            && registration.attributesType.keeps(settings.attributesType)
            && registration.locale.keeps(settings.locale) && registration.timeZone.keeps(settings.timeZone)
            && registration.osVersion.keeps(settings.osVersion) && registration.appBuild.keeps(settings.appBuild)
            && registration.activitiesEnabled.keeps(settings.activitiesEnabled)
            && registration.frequentPushes.keeps(settings.frequentPushes)
            && registration.notificationsAllowed.keeps(settings.notificationsAllowed)
            && registration.pushToStartToken.keeps(open(known.token, TokenPurpose.start(device)))
            && registration.deviceToken.keeps(open(known.deviceToken, TokenPurpose.device(device)))
    }

    private func open(_ sealed: [UInt8]?, _ purpose: String) -> String? {
        sealed.flatMap { try? service.vault.open($0, purpose: purpose) }
    }

    private func body(
        _ registration: DeviceUpdate,
        environment: APNsEnvironment?
    ) -> JSONObject {
        var body: JSONObject = ["observedAt": .string(RFC3339.format(registration.observedAt))]
        body["customer"] = registration.customer.json { .string($0.value) }
        body["environment"] =
            registration.environment.json { .string($0.name) } ?? environment.map { .string($0.name) }
        body["attributesType"] = registration.attributesType.json { .string($0) }
        body["locale"] = registration.locale.json { .string($0) }
        body["timeZone"] = registration.timeZone.json { .string($0) }
        body["osVersion"] = registration.osVersion.json { .string($0) }
        body["appBuild"] = registration.appBuild.json { .string($0) }
        body["activitiesEnabled"] = registration.activitiesEnabled.json { .bool($0) }
        body["frequentPushes"] = registration.frequentPushes.json { .bool($0) }
        body["notificationsAllowed"] = registration.notificationsAllowed.json { .bool($0) }
        body["sequence"] = registration.sequence.map { .integer($0) }
        return body
    }

    private func append(
        _ type: String,
        of device: DeviceID,
        _ app: Int32,
        id: String,
        _ body: JSONObject,
        _ caller: Caller
    ) async throws(Unavailable) {
        guard let source = service.directory.own(.device, app: app) else { throw Unavailable(.databaseUnavailable) }
        try await service.append([
            NewFact(
                StreamAddress(app: app, kind: .device, stream: device.value),
                source: source.number,
                id: id,
                type: type,
                body: JSON.object(body).serialized(),
                actor: caller.actor
            )
        ])
    }

    /// Registrations repeat earlier contents rightfully, so their contents cannot be their id.
    private static func unique() -> String { UUID128.random().description }
}

extension DeviceView {
    fileprivate init(_ known: DeviceReader.Snapshot) {
        self.init(
            device: known.stream.id,
            customer: known.stream.customer,
            isLinked: known.isLinked,
            hasStartToken: known.stream.hasStartToken,
            hasDeviceToken: known.stream.hasDeviceToken,
            isSuperseded: known.stream.successor != nil,
            settings: known.stream.settings,
            places: known.stream.places.count
        )
    }
}

extension Stated {
    /// Whether stating this leaves `value` as it is.
    fileprivate func keeps(_ value: Value?) -> Bool {
        switch self {
        case .absent: true
        case .unknown: value == nil
        case .known(let stated): stated == value
        }
    }

    /// nil when nothing is said.
    fileprivate func json(_ write: (Value) -> JSON) -> JSON? {
        switch self {
        case .absent: nil
        case .unknown: .null
        case .known(let value): write(value)
        }
    }
}
