internal import HTTPServer
internal import JSONText
internal import Tracking

extension Endpoints {
    /// `linked=1&wait=SECONDS`: answers once the device's customer knows of it, or after that long.
    func getDevice(_ call: Call) async throws(Problem) -> HTTPResponse {
        let device = try call.device
        let caller = try call.caller
        let limit = try call.query.wait
        let wait = try call.query.integer("linked", in: 1...1) == nil ? nil : limit
        let view = try await asking { () async throws(Unavailable) in
            try await ports.devices.device(device, awaitingLink: wait, caller: caller)
        }
        guard let view, caller.customer == nil || view.customer == caller.customer else { throw Self.unknownDevice }
        return .json(.object(view.json))
    }

    func putDevice(_ call: Call) async throws(Problem) -> HTTPResponse {
        let device = try call.device
        let caller = try call.caller
        var registration = try call.fields { DeviceUpdate(&$0, receivedAt: call.receivedAt) }
        try await narrow(&registration, of: device, for: caller)
        let admitted = registration
        let outcome = try await asking { () async throws(Unavailable) in
            try await ports.devices.register(device, admitted, caller: caller)
        }
        switch outcome {
        case .accepted: return .json(["device": .string(device.value)])
        case .dead: throw Problem(.registrationDead)
        }
    }

    func deleteDevice(_ call: Call) async throws(Problem) -> HTTPResponse {
        let device = try call.device
        let caller = try call.caller
        try await require(device, for: caller)
        try await asking { () async throws(Unavailable) in try await ports.devices.remove(device, caller: caller) }
        return .noContent
    }

    func postRunning(_ call: Call) async throws(Problem) -> HTTPResponse {
        let device = try call.device
        let caller = try call.caller
        let list = try call.fields { RunningList(&$0, receivedAt: call.receivedAt) }
        try await require(device, for: caller)
        let answer = try await asking { () async throws(Unavailable) in
            try await ports.devices.running(device, list, caller: caller)
        }
        return .json([
            "end": .array(answer.end.map { .string($0.value) }),
            "orders": .array(
                answer.orders.map {
                    [
                        "order": .string($0.order.value), "phase": .string($0.phase.name),
                        "revision": .integer($0.revision),
                    ]
                }
            ),
        ])
    }
}

extension DeviceView {
    fileprivate var json: JSONObject {
        [
            "id": .string(device.value), "customer": .optional(customer?.value), "linked": .bool(isLinked),
            "startToken": .bool(hasStartToken), "deviceToken": .bool(hasDeviceToken), "superseded": .bool(isSuperseded),
            "environment": .string(settings.environment.name),
            "attributesType": .optional(settings.attributesType), "locale": .optional(settings.locale),
            "osVersion": .optional(settings.osVersion), "appBuild": .optional(settings.appBuild),
            "activitiesEnabled": .bool(settings.activitiesEnabled), "frequentPushes": .bool(settings.frequentPushes),
            "notificationsAllowed": .bool(settings.notificationsAllowed), "places": .integer(places),
        ]
    }
}

extension DeviceUpdate {
    fileprivate init(_ fields: inout FieldReader, receivedAt: Int64) {
        customer = fields.text("customer").map { CustomerID($0) }
        environment = fields.choice("environment", [("sandbox", .sandbox), ("production", .production)])
        attributesType = fields.text("attributesType")
        pushToStartToken = fields.token("pushToStartToken")
        deviceToken = fields.token("deviceToken")
        locale = fields.text("locale")
        timeZone = fields.text("timeZone")
        osVersion = fields.text("osVersion")
        appBuild = fields.text("appBuild")
        activitiesEnabled = fields.bool("activitiesEnabled")
        frequentPushes = fields.bool("frequentPushes")
        notificationsAllowed = fields.bool("notificationsAllowed")
        observedAt = fields.time("observedAt").value ?? receivedAt
        sequence = fields.sequence()
        self.receivedAt = receivedAt
    }
}

extension RunningList {
    /// Phones show a handful of cards; a list of this many is a mistake.
    private static let most = 100

    fileprivate init(_ fields: inout FieldReader, receivedAt: Int64) {
        fields.require("activities")
        let items = fields.array("activities").value ?? []
        if items.count > Self.most { fields.fault("activities", .count, "Has more than \(Self.most) entries.") }
        cards = []
        for (index, item) in items.prefix(Self.most).enumerated() {
            let pointer = "\(fields.pointer(to: "activities"))/\(index)"
            guard let object = item.objectValue else {
                fields.note(at: pointer, .type, "Must be an object.")
                continue
            }
            var reader = FieldReader(object, at: pointer)
            if let card = Card(&reader) { cards.append(card) }
            fields.merge(reader)
        }
        sequence = fields.sequence()
        self.receivedAt = receivedAt
    }
}

extension RunningList.Card {
    fileprivate init?(_ fields: inout FieldReader) {
        fields.require("order", "activity", "state")
        let order = fields.text("order").value
        let activity = fields.text("activity").value
        let incarnation = fields.incarnation()
        // ActivityKit calls a card past its stale date `stale`; it is as much on the screen as an active one.
        let states: [(String, ReportedState)] = [
            ("active", .active), ("stale", .active), ("ended", .ended), ("dismissed", .dismissed),
        ]
        let state = fields.choice("state", states).value
        guard let order, let activity, let state else { return nil }
        self.init(order: OrderID(order), activity: ActivityID(activity), incarnation: incarnation, state: state)
    }
}
