internal import JSONText
internal import Tracking

extension Policy {
    /// A policy from the members given, the defaults for the others; durations are in seconds. Its version is given by
    /// the database, what the app's contract demands by the contract.
    init(_ fields: inout ConfigurationFields) {
        self.init()
        for member in Self.members { member.read(&fields, into: &self) }
        for (name, problem) in contradictions { fields.complain(name, problem) }
    }

    /// A version as the database keeps it. Members that it does not have, or that mean nothing any more, have their
    /// defaults: what was written by another release can still be read.
    init(stored body: JSON, version: Int32) {
        var fields = ConfigurationFields(body, at: "")
        self.init(&fields)
        self.version = version
    }

    /// The members as JSON.
    var json: JSON {
        var json = JSONObject()
        for member in Self.members { json[member.name] = member.json(of: self) }
        return .object(json)
    }

    /// Members that are right each and wrong together.
    private var contradictions: [(name: String, problem: String)] {
        var problems: [(String, String)] = []
        if rollover, rolloverAfter >= lifetime {
            problems.append(
                ("rolloverAfter", "must be below lifetime: the next card starts before the old one ends; lower it")
            )
        }
        if urgentReserved >= urgentPerHour {
            problems.append(
                ("urgentReserved", "must be below urgentPerHour, or nothing else is urgent; lower it, or raise that")
            )
        }
        if urgentPerHour > urgentPerHourFrequent {
            problems.append(
                ("urgentPerHourFrequent", "must not be below urgentPerHour: it is for those who allow more; raise it")
            )
        }
        if retryBase > retryMaximum {
            problems.append(("retryBase", "must not be above retryMaximum, to which it grows; lower it"))
        }
        return problems
    }
}
