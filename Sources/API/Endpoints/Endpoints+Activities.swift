internal import HTTPServer
internal import JSONText
internal import Tracking

extension Endpoints {
    func askActivity(_ call: Call) async throws(Problem) -> HTTPResponse {
        let order = try call.order
        let caller = try call.caller
        let question = try call.fields { StartQuestion(&$0, receivedAt: call.receivedAt) }
        try await require(order, with: question.device, for: caller)
        let verdict = try await asking { () async throws(Unavailable) in
            try await ports.activities.ask(order, question, caller: caller)
        }
        return .json([
            "verdict": .string(verdict.verdict.rawValue), "reason": .string(verdict.reason),
            "incarnation": verdict.incarnation.map { .integer($0) } ?? .null,
            "activity": .optional(verdict.activity?.value),
        ])
    }

    func putActivity(_ call: Call) async throws(Problem) -> HTTPResponse {
        let order = try call.order
        let activity = try call.activity
        let caller = try call.caller
        let registration = try call.fields { ActivityRegistration(&$0, receivedAt: call.receivedAt) }
        try await require(order, with: registration.device, for: caller)
        let outcome = try await asking { () async throws(Unavailable) in
            try await ports.activities.register(activity, of: order, registration, caller: caller)
        }
        switch outcome {
        case .accepted(let incarnation):
            return .json([
                "order": .string(order.value), "activity": .string(activity.value),
                "incarnation": incarnation.map { .integer($0) } ?? .null,
            ])
        case .dead: throw Problem(.registrationDead)
        case .ofOtherDevice:
            throw Problem(.anotherDevice, "Register the card under the id of the device that started it.")
        }
    }

    func postReport(_ call: Call) async throws(Problem) -> HTTPResponse {
        let order = try call.order
        let activity = try call.activity
        let caller = try call.caller
        let report = try call.fields { ActivityReport(&$0, receivedAt: call.receivedAt) }
        try await require(order, card: activity, for: caller)
        try await asking { () async throws(Unavailable) in
            try await ports.activities.report(activity, of: order, report, caller: caller)
        }
        return .json(["order": .string(order.value), "activity": .string(activity.value)], status: 202)
    }
}

extension StartQuestion {
    fileprivate init?(_ fields: inout FieldReader, receivedAt: Int64) {
        fields.require("device")
        let device = fields.text("device").value
        var kind: Kind? = .standard
        switch fields.text("kind") {
        case .absent, .unknown: break
        case .known("transient"):
            fields.fault("kind", .unsupported, "A transient activity cannot be pushed to.")
        case .known(let word):
            kind = Kind(rawValue: word)
            if kind == nil { fields.fault("kind", .choice, "Must be one of: standard, scheduled.") }
        }
        guard let device, let kind else { return nil }
        self.init(device: DeviceID(device), kind: kind, receivedAt: receivedAt)
    }
}

extension ActivityRegistration {
    fileprivate init?(_ fields: inout FieldReader, receivedAt: Int64) {
        fields.require("device")
        let device = fields.text("device").value
        updateToken = fields.token("updateToken").value
        startedBy = fields.choice("startedBy", [("server", .server), ("app", .app)]).value ?? .server
        startedAt = fields.time("startedAt").value
        observedAt = fields.time("observedAt").value ?? receivedAt
        incarnation = fields.incarnation()
        sequence = fields.sequence()
        self.receivedAt = receivedAt
        guard let device else { return nil }
        self.device = DeviceID(device)
    }
}

extension ActivityReport {
    fileprivate init?(_ fields: inout FieldReader, receivedAt: Int64) {
        fields.require("state")
        let states: [ReportedState] = [.active, .ended, .dismissed]
        let state = fields.choice("state", states.map { ($0.rawValue, $0) }).value
        at = fields.time("at").value ?? receivedAt
        sequence = fields.sequence()
        self.receivedAt = receivedAt
        guard let state else { return nil }
        self.state = state
    }
}
