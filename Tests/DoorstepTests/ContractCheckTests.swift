import ActivityContract
import Foundation
import JSONText
import PushDelivery
import Testing

@testable import doorstep

/// `doorstep contract check`, and contracts in a configuration.
struct ContractCheckTests {
    private static let examples = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs/contracts").standardizedFileURL.path

    private func check(_ arguments: String, _ contract: String = "") throws -> [String] {
        try Shell.lines("cat > own.json <<'END'\n\(contract)\nEND\ndoorstep contract check \(arguments); echo $?")
    }

    @Test(arguments: ["status-and-date", "phase-and-minutes", "driver-progress", "steps-of-total"])
    func `the examples are fine, and their pushes are shown`(name: String) throws {
        let lines = try check("\(Self.examples)/\(name).json")
        #expect(lines.first == "\(name).v1 is fine")
        #expect(lines.contains { $0.hasPrefix(#"{"aps":{"timestamp":"#) && $0.contains(#""event":"start""#) })
        #expect(lines.contains { $0.hasPrefix("largest push: ") && $0.hasSuffix(" of 4096 bytes") })
        #expect(lines.contains { $0.hasPrefix("minutes: about 11 more") } == (name != "status-and-date"))
        #expect(lines.last == "0")
    }

    @Test func `as JSON it is one object`() throws {
        let lines = try check("\(Self.examples)/status-and-date.json --json")
        let object = try JSON.parse(Array(try #require(lines.first).utf8))
        #expect(lines.count == 2)
        #expect(object["ok"] == true)
        #expect(object["limit"] == 4096)
        #expect(object["minutePushes"] == 0)
        #expect(object["samples"]?["end"]?["aps"]?["event"] == "end")
        #expect(object["traits"]?["removes"] == ["cancelled", "failed", "returned"])
        #expect(object["traits"]?["holdsUntilETA"] == true)
    }

    @Test func `everything wrong is told at once, with place, rule and remedy`() throws {
        let contract = #"""
            {"id": "a", "attributesType": "A", "state": {"f": {"from": "eta", "type": "Int", "as": "minutes",
             "ifUnknown": 0}}}
            """#
        let lines = try check("own.json", contract)
        #expect(lines.contains { $0.contains("own.json: /state/f/ifUnknown (zeroForUnknown): 0 says now") })
        #expect(lines.contains { $0.contains("own.json: /attributes (orderUnmapped): pushes cannot start") })
        #expect(lines.last == "2")
        let json = try check("own.json --json 2>/dev/null", contract)
        let object = try JSON.parse(Array(try #require(json.first).utf8))
        #expect(object["ok"] == false)
        #expect(object["problems"]?[0]?["at"] == "/state/f/ifUnknown")
        #expect(object["problems"]?[1]?["rule"] == "orderUnmapped")
        #expect(json.last == "2")
    }

    @Test func `a file that is not there is told, and one can come from a pipe`() throws {
        let lines = try check("gone.json")
        #expect(lines.first?.contains("gone.json: No such file") == true)
        #expect(lines.last == "2")
        #expect(try check("- < own.json", "{").first?.contains("is not JSON") == true)
    }

    // MARK: - In a configuration

    private func read(_ contract: JSON, attributesType: JSON = nil) -> ConfigurationFile {
        let app: JSON = [
            "id": "shop", "bundleId": "com.example.shop", "teamId": "T", "keys": [["id": "K", "file": "a.p8"]],
            "contract": contract, "attributesType": attributesType, "locales": ["hr", "en"],
        ]
        return ConfigurationFile(["apps": [app]], folder: Self.examples)
    }

    @Test func `a contract is the built-in one, a file, or a list by build`() throws {
        let rendering = try #require(read("doorstep.v1").configuration.apps.first?.readContracts().rendering)
        #expect(rendering.contracts.contracts == [.doorstep])
        #expect(rendering.locales == ["hr", "en"])
        let file = try #require(read("steps-of-total.json").configuration.apps.first?.readContracts().rendering)
        #expect(file.contracts.contracts.map(\.id) == ["steps-of-total.v1"])
        let list = read([
            ["file": "doorstep.v1"], ["file": "steps-of-total.json", "fromBuild": "2.9"],
            ["file": "phase-and-minutes.json", "fromBuild": "2.10"],
        ])
        #expect(list.problems == [])
        let contracts = try #require(list.configuration.apps.first?.readContracts().rendering).contracts
        #expect(contracts.contract(build: "2.9.5").id == "steps-of-total.v1")
        #expect(contracts.contract(build: "3").id == "phase-and-minutes.v1")
        #expect(contracts.contract(build: nil).id == "doorstep.v1")
    }

    @Test(
        arguments: [
            ([], "/apps/0/contract must name"),
            ([["file": "a.json"], ["file": "b.json"]], "/apps/0/contract must go up"),
            (
                [["file": "a.json", "fromBuild": "2"], ["file": "b.json", "fromBuild": "1.9"]],
                "/apps/0/contract must go up"
            ), ([["file": "a.json", "fromBuild": "two"]], "/apps/0/contract/0/fromBuild must be"),
            ([["fromBuild": "2"]], "/apps/0/contract/0/file is needed"), (5, "/apps/0/contract must be a text"),
            (["a.json"], "/apps/0/contract/0 must be an object"),
        ] as [(JSON, String)]
    )
    func `a list that leaves a choice open is a mistake`(contract: JSON, problem: String) {
        #expect(read(contract).problems.contains { $0.hasPrefix(problem) }, "\(read(contract).problems)")
    }

    @Test func `files that cannot be used are told with the app`() throws {
        func problems(_ contract: JSON, _ attributesType: JSON = nil) throws -> [String] {
            try #require(read(contract, attributesType: attributesType).configuration.apps.first).readContracts()
                .problems
        }
        #expect(try problems("gone.json").first?.contains("gone.json: No such file") == true)
        let twice: JSON = [["file": "doorstep.v1"], ["file": "doorstep.v1", "fromBuild": "2"]]
        #expect(try problems(twice).first?.contains("the same id") == true)
        #expect(try problems("steps-of-total.json", "DeliveryAttributes") == [])
        // A misspelt attributes-type: the phone would drop every start in silence.
        #expect(try problems("steps-of-total.json", "DeliveryAttribute").first?.contains("in silence") == true)
    }

    @Test func `config check opens contracts`() throws {
        let text = #"{"apps": [{"id": "a", "bundleId": "b", "teamId": "t", "keys": [], "contract": "own.json"}]}"#
        let lines = try Shell.lines("echo '{}' > own.json; echo '\(text)' > doorstep.json; doorstep config check")
        #expect(lines.contains { $0.contains("own.json: /id (missingMember)") })
    }
}
