package import JSONText
package import Tracking

/// A policy as people write it: one JSON object, durations in seconds; what is absent keeps its default.
package enum PolicyCodec {
    /// Everything that is wrong with a policy, each with its member.
    package struct Problem: Error, Hashable, Sendable {
        package let member: String
        package let rule: String
    }

    /// The members of a policy, each with how it is read and written.
    private struct Member: Sendable {
        let name: String
        let write: @Sendable (Policy) -> JSON
        /// The rule that was broken, or nil.
        let read: @Sendable (JSON, inout Policy) -> String?
    }

    package static func json(_ policy: Policy) -> JSON {
        .object(JSONObject(members.map { JSONObject.Member(name: $0.name, value: $0.write(policy)) }))
    }

    /// Reads a policy; `problems` is empty when all of it was understood.
    package static func policy(_ json: JSON) -> (policy: Policy, problems: [Problem]) {
        var policy = Policy()
        guard let object = json.objectValue else {
            return (policy, [Problem(member: "", rule: "must be an object")])
        }
        var problems: [Problem] = []
        for member in object.members {
            guard let known = members.first(where: { $0.name == member.name }) else {
                problems.append(Problem(member: member.name, rule: "is no member of a policy"))
                continue
            }
            if let rule = known.read(member.value, &policy) {
                problems.append(Problem(member: member.name, rule: rule))
            }
        }
        return (policy, problems)
    }

    private static let members: [Member] = [
        Member(
            name: "startAt",
            write: { .string($0.startAt.name) },
            read: { json, policy in
                guard let name = json.stringValue, let phase = Phase(name: name), !phase.isFinal else {
                    return "must be placed, accepted, on_the_way or courier_waiting"
                }
                policy.startAt = phase
                return nil
            }
        ),
        Member(
            name: "maxStartAge",
            write: { $0.maxStartAge.map { seconds($0) } ?? .null },
            read: { json, policy in
                if json.isNull {
                    policy.maxStartAge = nil
                    return nil
                }
                guard let span = duration(json) else { return "must be seconds above 0, or null for no limit" }
                policy.maxStartAge = span
                return nil
            }
        ),
        span("alertMaxAge", \.alertMaxAge), span("tokenWait", \.tokenWait),
        count("maxActivities", \.maxActivities), count("startsPerTenMinutes", \.startsPerTenMinutes),
        count("startsPerHour", \.startsPerHour), span("spacing", \.spacing), span("etaStep", \.etaStep),
        span("quietPlaced", \.quietPlaced), span("quietAccepted", \.quietAccepted),
        span("quietOnTheWay", \.quietOnTheWay), span("quietWaiting", \.quietWaiting),
        span("dismissAfterDelivered", \.dismissAfterDelivered), span("dismissAfterOther", \.dismissAfterOther),
        span("startExpiration", \.startExpiration), span("endExpiration", \.endExpiration),
        span("retryBase", \.retryBase), span("retryMaximum", \.retryMaximum),
    ]

    private static func span(_ name: String, _ path: any WritableKeyPath<Policy, Duration> & Sendable) -> Member {
        Member(name: name, write: { seconds($0[keyPath: path]) }) { json, policy in
            guard let span = duration(json) else { return "must be seconds above 0" }
            policy[keyPath: path] = span
            return nil
        }
    }

    private static func count(_ name: String, _ path: any WritableKeyPath<Policy, Int> & Sendable) -> Member {
        Member(name: name, write: { .integer($0[keyPath: path]) }) { json, policy in
            guard let count = json.int64Value, (1...1000).contains(count) else { return "must be 1 to 1000" }
            policy[keyPath: path] = Int(count)
            return nil
        }
    }

    private static func seconds(_ span: Duration) -> JSON { .integer(span.components.seconds) }

    private static func duration(_ json: JSON) -> Duration? {
        guard let seconds = json.int64Value, (1...31_536_000).contains(seconds) else { return nil }
        return .seconds(seconds)
    }
}
