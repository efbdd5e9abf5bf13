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
        let cards = snapshot?.stream.activities.filter { $0.device == question.device } ?? []
        if snapshot?.stream.order.phase.isFinal == true { return refusal(.finishedBeforeStart) }
        if cards.contains(where: { $0.state == .dismissed }) { return refusal(.dismissed) }
        if let shown = cards.last(where: { $0.state != .none && !$0.state.isOver }) {
            return StartVerdict(
                verdict: .adopt,
                reason: shown.state.name,
                incarnation: shown.incarnation,
                activity: shown.activityID
            )
        }
        if cards.contains(where: \.startInFlight) { return refusal(.startInFlight) }
        let body: JSONObject = ["device": .string(question.device.value), "kind": .string(question.kind.rawValue)]
        try await append(FactType.activityAsked, of: order, app.number, id: UUID128.random().description, body, caller)
        return StartVerdict(
            verdict: .start,
            reason: Reason.appMayStart.rawValue,
            incarnation: (cards.map(\.incarnation).max() ?? 1),
            activity: nil
        )
    }

    private func refusal(_ reason: Reason) -> StartVerdict {
        StartVerdict(verdict: .no, reason: reason.rawValue, incarnation: nil, activity: nil)
    }

    package func register(
        _ activity: ActivityID,
        of order: OrderID,
        _ registration: ActivityRegistration,
        caller: Caller
    ) async throws(Unavailable) -> RegistrationOutcome {
        let app = try service.app(caller)
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
