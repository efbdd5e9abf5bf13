import ActivityContract
import JSONText
import Testing

/// The rules of contract files: each has a file that breaks it, and the place is told.
@Suite struct ContractReadingTests {
    @Test(arguments: Examples.names)
    func `the examples are without mistakes`(name: String) throws {
        #expect(try Examples.contract(name).id == "\(name).v1")
    }

    @Test func `what is right has no problems`() {
        #expect(problems(contract()) == [])
        #expect(problems(contract { $0["$schema"] = "contract.schema.json" }) == [])
    }

    @Test func `what is no JSON is told with its place`() {
        #expect(throws: ContractError.self) { try Contract(reading: Array("{".utf8)) }
        #expect(throws: ContractError.self) { try Contract(reading: Array(#"{"id": "a", "id": "b"}"#.utf8)) }
        #expect(problems([]).first == " malformed")
    }

    @Test func `everything wrong is told at once, each with its place, rule and remedy`() throws {
        let json = contract(field: ["from": "eta", "type": "Int", "as": "iso8601", "colour": 1]) {
            $0["id"] = nil
            $0["attributesType"] = "ContentState"
            $0["attributes"] = [:]
        }
        #expect(
            problems(json) == [
                "/id missingMember", "/attributesType attributesType", "/state/f/as unknownForm",
                "/state/f/colour unknownMember", "/attributes orderUnmapped",
            ]
        )
        let error = #expect(throws: ContractError.self) { try Contract(json) }
        let problem = try #require(error?.problems.first { $0.rule == .unknownForm })
        #expect(problem.description.hasPrefix("/state/f/as (unknownForm): must be one of text, number"))
    }

    // MARK: - The whole

    @Test(arguments: ["", "a b", "doorstep.v2", String(repeating: "a", count: 65), "Zo\u{EB}"])
    func `an id names the contract and nothing else`(id: String) {
        #expect(problems(contract { $0["id"] = .string(id) }).first?.hasPrefix("/id ") == true)
    }

    /// The phone drops another spelling in silence, so what can be no name is refused.
    @Test(arguments: ["Shop.DeliveryAttributes", "Delivery Attributes", "1st", "ContentState", "Attributes<T>"])
    func `a misspelt attributes-type is refused`(name: String) {
        #expect(problems(contract { $0["attributesType"] = .string(name) }) == ["/attributesType attributesType"])
    }

    @Test func `members of the wrong kind are refused`() {
        #expect(problems(contract { $0["attributesType"] = 7 }) == ["/attributesType malformed"])
        #expect(problems(contract { $0["pushToStart"] = "no" }) == ["/pushToStart malformed"])
        #expect(problems(contract { $0["state"] = 1 }) == ["/state malformed"])
        #expect(problems(contract { $0["state"] = nil }) == ["/state missingMember"])
        #expect(problems(contract { $0["updatesUsed"] = true }) == ["/updatesUsed unknownMember"])
        #expect(
            problems(contract(field: "phase")) == [
                "/state/f malformed", "/state/f/type missingMember",
                "/state/f/from missingMember",
            ]
        )
    }

    @Test func `a type without the order cannot be started by push`() throws {
        #expect(problems(contract { $0["attributes"] = nil }) == ["/attributes orderUnmapped"])
        let json = contract {
            $0["attributes"] = nil
            $0["pushToStart"] = false
        }
        #expect(problems(json) == [])
        #expect(try !Contract(json).traits.startsByPush)
    }

    @Test func `a type with an incarnation is given it`() {
        func problemsOf(_ field: JSON) -> [String] {
            problems(
                contract {
                    $0["attributes"] = ["o": ["from": "order", "type": "String"], "incarnation": field]
                }
            )
        }
        #expect(problemsOf(["type": "Int", "value": 1]) == ["/attributes incarnationUnmapped"])
        #expect(problemsOf(["from": "incarnation", "type": "Int"]) == [])
    }

    @Test func `names with slashes and tildes are escaped in pointers`() {
        let json = contract { $0["state"] = ["a/b~c": ["from": "phase", "type": "Strin"]] }
        #expect(problems(json) == ["/state/a~1b~0c/type malformed"])
    }
}
