import FoundationEssentials
import JSONText
import Testing
import Tracking

@testable import doorstep

/// Every member of a policy is read, shown and explained from one table.
struct PolicyReferenceTests {
    /// Set by those who derive it, not by an app.
    private static let derived: Set = ["version", "contract"]

    @Test func `the table lists every member of a policy, once`() {
        let names = Policy.members.map(\.name)
        let members = Mirror(reflecting: Policy()).children.compactMap(\.label)
        #expect(Set(names).union(Self.derived) == Set(members))
        #expect(names.count == Set(names).count)
    }

    @Test func `each member is written to the place it is read from`() {
        for member in Policy.members {
            var other = Policy()
            var fields = ConfigurationFields(.object([member.name: member.otherValue]), at: "")
            member.read(&fields, into: &other)
            #expect(fields.allProblems == [], "\(member.name)")
            #expect(other != Policy(), "\(member.name)")
            #expect(member.json(of: other) == member.otherValue, "\(member.name)")
            let label = Mirror(reflecting: other).children.filter { child in
                Mirror(reflecting: Policy()).children.contains {
                    $0.label == child.label && "\($0.value)" != "\(child.value)"
                }
            }
            #expect(label.map(\.label) == [member.name])
        }
    }

    @Test func `defaults lie within their ranges`() {
        var fields = ConfigurationFields(Policy().json, at: "")
        #expect(Policy(&fields) == Policy())
        #expect(fields.allProblems == [])
    }

    @Test func `every value out of range is told at once, with the rule and the way out`() {
        var wrong = JSONObject()
        for member in Policy.members { wrong[member.name] = .string("") }
        for member in Policy.members where member.range != nil { wrong[member.name] = -1 }
        var fields = ConfigurationFields(.object(wrong), at: "/apps/0/policy")
        #expect(Policy(&fields) == Policy())
        for member in Policy.members {
            #expect(fields.allProblems.count { $0.hasPrefix("/apps/0/policy/\(member.name) must ") } == 1)
        }
        #expect(fields.allProblems.count == Policy.members.count)
        let dismissal = fields.allProblems.first { $0.contains("/dismissAfterDelivered ") }
        #expect(
            dismissal
                == "/apps/0/policy/dismissAfterDelivered must be a number of seconds from 0 to 14400 "
                + "(at most 4 h after the end: Apple, Displaying live data with Live Activities); leave it out for 600"
        )
    }

    @Test(
        arguments: [
            (["rollover": true, "rolloverAfter": 7200, "lifetime": 3600], "rolloverAfter"),
            (["urgentPerHour": 3], "urgentReserved"), (["urgentPerHour": 40], "urgentPerHourFrequent"),
            (["retryBase": 60, "retryMaximum": 30], "retryBase"),
        ] as [(JSON, String)]
    )
    func `members that contradict each other are told`(json: JSON, name: String) {
        var fields = ConfigurationFields(json, at: "/p")
        _ = Policy(&fields)
        #expect(fields.allProblems.count == 1)
        #expect(fields.allProblems.first?.hasPrefix("/p/\(name) must ") == true, "\(fields.allProblems)")
    }

    @Test func `a stored version of another release can be read`() {
        let stored: JSON = ["startAt": "accepted", "endExpiration": 43_200, "quietPlaced": 300]
        var expected = Policy()
        expected.startAt = .accepted
        expected.quietPlaced = .seconds(300)
        expected.version = 7
        #expect(Policy(stored: stored, version: 7) == expected)
    }

    // MARK: - Files; DOORSTEP_WRITE_DOCS=1 writes them

    @Test func `docs/policy.md says what the code does`() throws {
        try Documents.compare("docs/policy.md", PolicyReference.markdown)
    }

    @Test func `the policy schema says what the code does`() throws {
        try Documents.compare("docs/schemas/policy.schema.json", PolicyReference.schema)
        let schema = try JSON.parse(Array(PolicyReference.schema.utf8))
        #expect(schema["properties"]?.objectValue?.members.count == Policy.members.count)
    }
}

extension PolicyMember {
    fileprivate var range: ClosedRange<Int64>? {
        switch value {
        case .seconds(_, let range), .secondsOrNull(_, let range), .count(_, let range), .percent(_, let range): range
        case .phase, .flag: nil
        }
    }

    /// One that is allowed and not the default.
    fileprivate var otherValue: JSON {
        switch value {
        case .phase: "courier_waiting"
        case .flag(let path): .bool(!Policy()[keyPath: path])
        case .seconds(_, let range), .secondsOrNull(_, let range), .count(_, let range), .percent(_, let range):
            .integer(json(of: Policy()) == .integer(range.lowerBound) ? range.upperBound : range.lowerBound)
        }
    }
}
