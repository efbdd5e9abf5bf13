internal import Crypto
internal import JSONText
internal import PostgresStore
internal import Service
package import Tracking

/// What apps say of their cards, into the orders' streams.
package struct LiveActivities: ActivitiesPort {
    private let service: LiveService

    package init(_ service: LiveService) { self.service = service }

    package func ask(
        _ order: OrderID,
        _ question: StartQuestion,
        caller: Caller
    ) async throws(Unavailable) -> StartVerdict {
        let app = try service.app(caller)
        let snapshot = try await service.reading { try await service.orders.order(app: app.number, order) }
        switch (snapshot?.stream ?? OrderStream(id: order)).appStart(on: question.device) {
        case .no(let reason):
            return refusal(reason)
        case .adopt(let incarnation, let activity, let state):
            return StartVerdict(verdict: .adopt, reason: state.name, incarnation: incarnation, activity: activity)
        case .start(let incarnation):
            guard try await hasPlace(on: question.device, for: order, app) else { return refusal(.refusedByDevice) }
            try await append(
                question.kind == .scheduled ? FactType.activityScheduled : FactType.activityAsked,
                of: order,
                app.number,
                id: UUID128.random().description,
                ["device": .string(question.device.value)],
                caller
            )
            return StartVerdict(
                verdict: .start,
                reason: Reason.appMayStart.rawValue,
                incarnation: incarnation,
                activity: nil
            )
        }
    }

    /// Whether the phone has room for another card (rule 11). The place is taken by the card's fact; of two that ask at once
    /// both may get the last one, as the person sees what they start.
    private func hasPlace(
        on device: DeviceID,
        for order: OrderID,
        _ app: Directory.App
    ) async throws(Unavailable) -> Bool {
        let stream = try await service.reading { try await service.devices.stream(app: app.number, device) }
        guard let places = stream?.places, places.count >= app.policy.maxActivities else { return true }
        return places.contains { $0.order == order }
    }

    private func refusal(_ reason: Reason) -> StartVerdict {
        StartVerdict(verdict: .no, reason: reason.rawValue, incarnation: nil, activity: nil)
    }

    package func register(
        _ activity: ActivityID,
        of order: OrderID,
        _ registration: ActivityRegistration,
        caller: Caller
    ) async throws(Unavailable) -> CardOutcome {
        let app = try service.app(caller)
        let snapshot = try await service.reading { try await service.orders.order(app: app.number, order) }
        let known = snapshot?.stream.activities.first { $0.activityID == activity }
        if let known, known.device != registration.device { return .ofOtherDevice }
        var body: JSONObject = [
            "device": .string(registration.device.value), "activity": .string(activity.value),
            "startedBy": .string(registration.startedBy == .app ? "app" : "server"),
            "startedAt": registration.startedAt.map { .string(RFC3339.format($0)) } ?? .null,
            "observedAt": .string(RFC3339.format(registration.observedAt)),
            "incarnation": registration.incarnation.map { .integer($0) } ?? .null,
            "sequence": registration.sequence.map { .integer($0) } ?? .null,
        ]
        let digest = print(activity, registration)
        if let token = registration.updateToken {
            let device = try await service.reading {
                try await service.devices.stream(app: app.number, registration.device)
            }
            let id = try await service.living(
                token,
                .update,
                device?.settings.environment ?? app.environment,
                observedAt: registration.observedAt,
                app: app.number
            )
            guard let id else { return .dead }
            body["tokenId"] = .string(id.value)
            body["token"] = try service.sealed(token, TokenPurpose.update(order, registration.device))
        }
        try await append(
            FactType.activityRegistered,
            of: order,
            app.number,
            id: "registered/\(activity.value)/\(digest)",
            body,
            caller,
            print: digest
        )
        return .accepted(incarnation: registration.incarnation)
    }

    /// Equal for a repeated upload, which must be stored once (field case P45); the sealed token differs each time.
    private func print(_ activity: ActivityID, _ registration: ActivityRegistration) -> UUID128 {
        let parts = [
            activity.value, registration.device.value, registration.updateToken ?? "",
            registration.incarnation.map { String($0) } ?? "", registration.sequence.map { String($0) } ?? "",
        ]
        return UUID128(sha256Prefix: Array(parts.joined(separator: "\0").utf8))
    }

    package func report(
        _ activity: ActivityID,
        of order: OrderID,
        _ report: ActivityReport,
        caller: Caller
    ) async throws(Unavailable) {
        let app = try service.app(caller)
        let body: JSONObject = [
            "activity": .string(activity.value), "state": .string(report.state.rawValue),
            "at": .string(RFC3339.format(report.at)), "sequence": report.sequence.map { .integer($0) } ?? .null,
        ]
        let place = report.sequence.map { String($0) } ?? String(report.at)
        try await append(
            FactType.activityReported,
            of: order,
            app.number,
            id: "report/\(activity.value)/\(report.state.rawValue)/\(place)",
            body,
            caller
        )
    }

    private func append(
        _ type: String,
        of order: OrderID,
        _ app: Int32,
        id: String,
        _ body: JSONObject,
        _ caller: Caller,
        print: UUID128? = nil
    ) async throws(Unavailable) {
        guard let source = service.directory.own(.device, app: app) else { throw Unavailable(.databaseUnavailable) }
        try await service.append([
            NewFact(
                service.orders.address(app: app, order),
                source: source.number,
                id: id,
                type: type,
                body: JSON.object(body).serialized(),
                print: print,
                actor: caller.actor
            )
        ])
    }
}
