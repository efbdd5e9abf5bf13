import ActivityContract
import Foundation
import JSONText
import PushDelivery
import Testing

/// What `contract check` tells of a contract.
@Suite struct ContractReportTests {
    private static let examples = ["status-and-date", "phase-and-minutes", "driver-progress", "steps-of-total"]

    @Test(arguments: examples)
    func `the examples fit, with the longest ids and names`(name: String) throws {
        let report = ContractReport(try example(name))
        #expect(report.problems == [])
        #expect(report.largest > 1_000)
        #expect(report.largest <= ContractReport.sizeLimit)
    }

    @Test func `the built-in contract fits, and costs no pushes of its own`() {
        let report = ContractReport(.doorstep)
        #expect(report.problems == [])
        #expect(report.minutePushes == 0)
    }

    @Test func `minutes have their price`() throws {
        #expect(try ContractReport(example("phase-and-minutes")).minutePushes == 11)
        #expect(try ContractReport(example("status-and-date")).minutePushes == 0)
    }

    @Test func `a start, an update and an end are shown as they would be sent`() throws {
        let samples = ContractReport(try example("phase-and-minutes")).samples
        #expect(samples.map(\.verb) == ["start", "update", "end"])
        let states = try samples.map { try #require(JSON.parse($0.body)["aps"]?["content-state"]) }
        #expect(
            states.map(\.description) == [
                #"{"phase":"on_the_way","etaMinutes":25}"#, #"{"phase":"on_the_way","etaMinutes":22}"#,
                #"{"phase":"delivered","etaMinutes":null}"#,
            ]
        )
    }

    /// Text of 2,500 letters, sent for want of a value that is shorter.
    @Test(arguments: zip(["courier", "restaurant"], ["state", "attributes"]))
    func `what is sent for want of a value counts too`(source: String, place: String) throws {
        let field: JSON = [
            "from": .string(source), "type": "String", "ifUnknown": .string(String(repeating: "a", count: 2_500)),
        ]
        var members: JSONObject = ["id": "long.v1", "attributesType": "LongAttributes"]
        members["attributes"] = ["order": ["from": "order", "type": "String"]]
        members["state"] = ["phase": ["from": "phase", "type": "String"]]
        var fields = members[place]?.objectValue ?? JSONObject()
        fields["long"] = field
        members[place] = .object(fields)
        let report = ContractReport(try Contract(.object(members)))
        #expect(report.problems.map(\.rule) == [.tooLarge])
        // Both forms of every field: no more than the text that is sent in the place of 480 bytes.
        #expect(report.largest < 7_000)
    }

    @Test func `sentinels of several sources count together`() throws {
        let sentinel = String(repeating: "a", count: 1_100)
        func field(_ source: String) -> JSON {
            ["from": .string(source), "type": "String", "ifUnknown": .string(sentinel)]
        }
        let contract = try Contract([
            "id": "long.v1", "attributesType": "LongAttributes",
            "attributes": ["order": ["from": "order", "type": "String"], "place": field("restaurant")],
            "state": ["phase": ["from": "phase", "type": "String"], "courier": field("courier")],
        ])
        #expect(ContractReport(contract).problems.map(\.rule) == [.tooLarge])
    }

    @Test func `a type that no push starts has no start to show or to measure`() throws {
        func contract(_ startsByPush: Bool) throws -> Contract {
            try Contract([
                "id": "app.v1", "attributesType": "AppAttributes", "pushToStart": .bool(startsByPush),
                "attributes": [
                    "order": ["from": "order", "type": "String"],
                    "terms": ["type": "String", "value": .string(String(repeating: "a", count: 2_500))],
                ],
                "state": ["phase": ["from": "phase", "type": "String"]],
            ])
        }
        let report = ContractReport(try contract(false))
        #expect(report.samples.map(\.verb) == ["update", "end"])
        #expect(report.problems == [])
        #expect(ContractReport(try contract(true)).problems.map(\.rule) == [.tooLarge])
    }

    @Test func `what could exceed Apple's limit is refused`() throws {
        var attributes: JSONObject = ["order": ["from": "order", "type": "String"]]
        attributes["terms"] = ["type": "String", "value": .string(String(repeating: "a", count: 2_500))]
        let contract = try Contract([
            "id": "long.v1", "attributesType": "LongAttributes", "attributes": .object(attributes),
            "state": ["phase": ["from": "phase", "type": "String"]],
        ])
        let report = ContractReport(contract)
        #expect(report.largest > ContractReport.sizeLimit)
        #expect(report.problems.map(\.rule) == [.tooLarge])
    }
}
