import JSONText
import Tracking

@testable import doorstep

/// The reference and the schema of policies, as the table of members tells them.
enum PolicyReference {
    static var markdown: String {
        var lines = [
            "# Policy",
            "",
            "What one app decides by: the object `apps[].policy` of `doorstep.json`. A member that is left out has its",
            "default. Apple publishes few numbers; the last column says which are Apple's, which are ours beside something that",
            "Apple says, and which are ours alone. All members are checked at once, each mistake with the member, the rule and",
            "the way out; `doorstep config show` prints what is in effect. Schema:",
            "[policy.schema.json](schemas/policy.schema.json). A test compares this page with the code.",
            "",
            "How a policy becomes active: [configuration.md](configuration.md#versions-of-a-policy).",
        ]
        for section in PolicyMember.Section.allCases {
            lines += ["", "## \(section.rawValue)", ""]
            lines += ["| member | unit | default | range | meaning | whose number |", "|---|---|---|---|---|---|"]
            lines += Policy.members.filter { $0.section == section }.map(row)
        }
        lines += ["", "## Numbers that are no member", "", "| number | meaning | whose number |", "|---|---|---|"]
        lines += fixed.map { "| \($0.value) | \($0.meaning) | \($0.origin) |" }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ member: PolicyMember) -> String {
        let whose =
            switch member.origin {
            case .ours: "ours"
            case .within(let bound): "ours; \(bound)"
            case .apple(let source): "Apple's: \(source)"
            }
        let cells = [
            "`\(member.name)`", member.unit, "`\(text(member.json(of: Policy())))`", member.rangeText, member.meaning,
            whose,
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }

    /// What no app needs to choose, with the values of the code.
    private static var fixed: [(value: String, meaning: String, origin: String)] {
        let steps = [4, 14, 30].map { "\(ContractDemands.minutesStep(from: $0))" }.joined(separator: ", ")
        return [
            (
                seconds(Order.attemptWait),
                "A failed attempt that nobody repeats makes the order failed after this time.", "ours"
            ),
            (
                "\(seconds(Order.lateBeyond)), \(seconds(Order.lateUntil))",
                "An order is late from this far beyond its first promise, and no longer late under the second.", "ours"
            ),
            (
                "\(seconds(Intention.staleFloor(priority: 10))), \(seconds(Intention.staleFloor(priority: 5)))",
                "A stale date lies at least this far ahead of a push of priority 10, of priority 5.",
                "ours; a card whose stale date is past is never shown: nalu-development/nalu#222"
            ),
            (
                steps + " minutes",
                "Where a card shows minutes, the steps worth a push: below 5 minutes, below 15, from there on.", "ours"
            ),
        ]
    }

    private static func seconds(_ duration: Duration) -> String { "\(duration.components.seconds) s" }

    /// A text without its quotes.
    private static func text(_ json: JSON) -> String { json.stringValue ?? "\(json)" }

    static var schema: String {
        let properties = Policy.members.map { member in
            let meaning = JSON.string("\(member.meaning)\(member.unitNote)")
            let value = "\(member.schema), \"default\": \(member.json(of: Policy())), \"description\": \(meaning)"
            return "    \"\(member.name)\": { \(value) }"
        }
        return """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "$id": "urn:doorstep:schema:policy",
              "title": "Doorstep: the policy of one app",
              "description": "Durations are in seconds. Explained in docs/policy.md.",
              "type": "object",
              "additionalProperties": false,
              "properties": {
            \(properties.joined(separator: ",\n"))
              }
            }

            """
    }
}

extension PolicyMember {
    fileprivate var unit: String {
        switch value {
        case .phase: "phase"
        case .seconds: "seconds"
        case .secondsOrNull: "seconds or null"
        case .count: "count"
        case .percent: "percent"
        case .flag: "switch"
        }
    }

    fileprivate var unitNote: String {
        switch value {
        case .seconds, .secondsOrNull: " Seconds."
        case .percent: " Percent."
        case .phase, .count, .flag: ""
        }
    }

    fileprivate var rangeText: String {
        switch value {
        case .phase: "`placed`, `accepted`, `on_the_way`, `courier_waiting`"
        case .seconds(_, let range), .count(_, let range), .percent(_, let range):
            "\(range.lowerBound) to \(range.upperBound)"
        case .secondsOrNull(_, let range): "\(range.lowerBound) to \(range.upperBound), null"
        case .flag: "true, false"
        }
    }

    fileprivate var schema: String {
        switch value {
        case .phase: #""enum": ["placed", "accepted", "on_the_way", "courier_waiting"]"#
        case .seconds(_, let range): #""type": "number", \#(Self.bounds(range))"#
        case .secondsOrNull(_, let range): #""type": ["number", "null"], \#(Self.bounds(range))"#
        case .count(_, let range), .percent(_, let range): #""type": "integer", \#(Self.bounds(range))"#
        case .flag: #""type": "boolean""#
        }
    }

    private static func bounds(_ range: ClosedRange<Int64>) -> String {
        "\"minimum\": \(range.lowerBound), \"maximum\": \(range.upperBound)"
    }
}
