internal import JSONText
internal import Tracking

extension Policy {
    /// A policy from the members given, the defaults for the others; durations are in seconds. Its version is given by
    /// the database.
    init(_ fields: inout ConfigurationFields) {
        self.init()
        if let name = fields.text("startAt") {
            if let phase = Phase(name: name), !phase.isFinal {
                startAt = phase
            } else {
                fields.complain("startAt", "must be placed, accepted, on_the_way or courier_waiting")
            }
        }
        // Null is a value here: no limit.
        let maximum = fields.duration("maxStartAge")
        if fields.has("maxStartAge") { maxStartAge = maximum }
        if let number = fields.integer("maxActivities", in: 1...100) { maxActivities = number }
        if let number = fields.integer("startsPerTenMinutes", in: 1...1000) { startsPerTenMinutes = number }
        if let number = fields.integer("startsPerHour", in: 1...1000) { startsPerHour = number }
        for (name, path) in Self.durations {
            if let duration = fields.duration(name) { self[keyPath: path] = duration }
        }
    }

    private static var durations: [(String, WritableKeyPath<Policy, Duration>)] {
        [
            ("alertMaxAge", \.alertMaxAge), ("tokenWait", \.tokenWait),
            ("appStartWait", \.appStartWait), ("spacing", \.spacing), ("etaStep", \.etaStep),
            ("quietPlaced", \.quietPlaced), ("quietAccepted", \.quietAccepted), ("quietOnTheWay", \.quietOnTheWay),
            ("quietWaiting", \.quietWaiting), ("dismissAfterDelivered", \.dismissAfterDelivered),
            ("dismissAfterOther", \.dismissAfterOther), ("startExpiration", \.startExpiration),
            ("confirmationLimit", \.confirmationLimit), ("retryBase", \.retryBase), ("retryMaximum", \.retryMaximum),
        ]
    }

    /// The same members as JSON.
    var json: JSON {
        var json: JSONObject = [
            "startAt": .string(startAt.name),
            "maxStartAge": maxStartAge.map { .seconds($0) } ?? .null, "maxActivities": .integer(maxActivities),
            "startsPerTenMinutes": .integer(startsPerTenMinutes), "startsPerHour": .integer(startsPerHour),
        ]
        for (name, path) in Self.durations { json[name] = .seconds(self[keyPath: path]) }
        return .object(json)
    }
}

extension JSON {
    /// A duration in seconds, whole where it is.
    static func seconds(_ duration: Duration) -> JSON {
        let (seconds, attoseconds) = duration.components
        return attoseconds == 0 ? .integer(seconds) : .double(Double(seconds) + Double(attoseconds) / 1e18)
    }
}
