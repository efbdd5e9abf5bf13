import ActivityContract
import JSONText
import Testing

/// The rules of words and steps by phase.
@Suite struct TableReadingTests {
    private static func mapped(_ changes: JSONObject, type: JSON = "String", cases: JSON? = nil) -> [String] {
        var field: JSONObject = ["from": "phase", "type": type, "map": words(changes)]
        field["cases"] = cases
        return problems(contract(field: .object(field)))
    }

    @Test func `every phase has a word`() {
        #expect(Self.mapped([:]) == [])
        let short: JSON = [
            "from": "phase", "type": "String", "map": ["placed": "new", "cancelled": ["end": "remove"]],
        ]
        #expect(problems(contract(field: short)) == ["/state/f phaseUnmapped"])
        #expect(problems(contract(attribute: short)) == ["/attributes/a phaseUnmapped"])
        #expect(Self.mapped(["landed": "x"]) == ["/state/f/map/landed unknownField"])
        let none: JSON = ["from": "phase", "type": "String", "map": 1]
        #expect(problems(contract(field: none)) == ["/state/f/map malformed", "/state/f phaseUnmapped"])
    }

    @Test func `a final phase without a word takes the card away, a live one may not`() throws {
        let removed: JSONObject = ["failed": ["end": "remove"], "delivered": ["end": "remove"]]
        #expect(Self.mapped(removed) == [])
        #expect(Self.mapped(["accepted": ["end": "remove"]]) == ["/state/f/map/accepted removedAlive"])
        let json = contract(field: ["from": "phase", "type": "String", "map": words(removed)])
        let contract = try Contract(json)
        #expect(contract.traits.removes == [.failed, .delivered])
        #expect(contract.removes(.failed))
        #expect(!contract.removes(.cancelled))
        // Nothing is sent of it, and the renderer stays total.
        #expect(contract.stateText(bare(.failed)) == #"{"f":null,"phase":"failed"}"#)
    }

    @Test(arguments: ["delivered", "Delivered", "COMPLETED", "done", "arrived", "order_fulfilled"])
    func `an order that failed never looks delivered`(word: String) {
        for phase in ["cancelled", "failed", "returned"] {
            let found = Self.mapped([phase: .string(word)])
            #expect(found == (word == "order_fulfilled" ? [] : ["/state/f/map/\(phase) successWord"]))
        }
    }

    @Test func `nor by the app's own word, in whatever type`() {
        #expect(
            Self.mapped(["delivered": "bon appetit", "failed": "bon appetit"]) == ["/state/f/map/failed successWord"]
        )
        let numbers: JSON = [
            "placed": 0, "accepted": 1, "on_the_way": 2, "courier_waiting": 3, "delivered": 4, "cancelled": 4,
            "failed": 5, "returned": 6,
        ]
        let field: JSON = ["from": "phase", "type": "Int", "cases": [0, 1, 2, 3, 4, 5, 6], "map": numbers]
        #expect(problems(contract(field: field)) == ["/state/f/map/cancelled successWord"])
        let over: JSON = [
            "placed": false, "accepted": false, "on_the_way": false, "courier_waiting": false, "delivered": true,
            "cancelled": true, "failed": true, "returned": true,
        ]
        #expect(problems(contract(field: ["from": "phase", "type": "Bool", "map": over])) == [])
    }

    @Test func `a state that cannot tell failure from delivery is refused`() {
        let over: JSON = [
            "placed": false, "accepted": false, "on_the_way": false, "courier_waiting": false, "delivered": true,
            "cancelled": true, "failed": true, "returned": false,
        ]
        func found(_ state: JSON) -> [String] { problems(contract { $0["state"] = state }) }
        #expect(found(["eta": ["from": "eta", "type": "Int?", "as": "minutes"]]) == ["/state successWord"])
        #expect(found(["over": ["from": "phase", "type": "Bool", "map": over]]) == ["/state successWord"])
        let steps: JSON = [
            "placed": 0, "accepted": 1, "on_the_way": 2, "courier_waiting": 2, "delivered": 3,
            "cancelled": ["end": "remove"], "failed": ["end": "remove"], "returned": ["end": "remove"],
        ]
        let step: JSON = ["from": "phase", "type": "Int", "as": "step", "steps": steps]
        #expect(found(["over": ["from": "phase", "type": "Bool", "map": over], "step": step]) == [])
    }

    @Test func `words are cases of the enum`() {
        let cases: JSON = ["new", "cooking", "riding", "door", "delivered", "off", "failed", "back"]
        #expect(Self.mapped([:], cases: cases) == [])
        #expect(Self.mapped(["placed": "knew"], cases: cases) == ["/state/f/map/placed unfitValue"])
        #expect(Self.mapped(["placed": 1]) == ["/state/f/map/placed unfitValue"])
        let unmapped: JSON = ["from": "phase", "type": "String", "cases": ["placed"]]
        #expect(problems(contract(field: unmapped)).count == 7)
        let formed: JSON = ["from": "phase", "type": "String", "as": "step", "map": words()]
        #expect(problems(contract(field: formed)) == ["/state/f/as unfitForm"])
        #expect(problems(contract(field: ["from": "phase", "type": "String", "as": "text", "map": words()])) == [])
    }

    @Test func `yes and no have a word each`() {
        func flag(_ map: JSON) -> [String] {
            problems(contract(field: ["from": "stale", "type": "String", "map": map]))
        }
        #expect(flag(["true": "old"]) == ["/state/f/map missingMember"])
        #expect(flag(["true": "old", "false": 1]) == ["/state/f/map/false unfitValue"])
        #expect(flag(["true": "old", "false": "new", "maybe": "?"]) == ["/state/f/map/maybe unknownMember"])
    }

    // MARK: - Steps

    private static func steps(_ form: String, _ changes: JSONObject) -> [String] {
        var steps: JSONObject = [
            "placed": 0, "accepted": 0, "on_the_way": 0, "courier_waiting": 0, "delivered": 1, "cancelled": 0,
            "failed": 0, "returned": 0,
        ]
        for member in changes.members { steps[member.name] = member.value }
        let field: JSON = ["from": "phase", "type": "Double", "as": .string(form), "steps": .object(steps)]
        return problems(contract(field: field))
    }

    @Test(arguments: ["step", "fraction"])
    func `steps lead to the door and not back`(form: String) {
        #expect(Self.steps(form, [:]) == [])
        #expect(Self.steps(form, ["placed": 1]) == ["/state/f/steps unfitSteps"])
        #expect(Self.steps(form, ["placed": -1]) == ["/state/f/steps/placed unfitSteps"])
        #expect(Self.steps(form, ["failed": 1]) == ["/state/f/steps/failed successWord"])
        #expect(Self.steps(form, ["failed": ["end": "remove"]]) == [])
        #expect(Self.steps(form, ["placed": "x"]) == ["/state/f/steps/placed unfitSteps"])
        let none: JSON = ["from": "phase", "type": "Double", "as": .string(form)]
        #expect(problems(contract(field: none)) == ["/state/f/steps missingMember", "/state/f phaseUnmapped"])
    }

    @Test func `a fraction ends at 1, a step is whole`() {
        #expect(Self.steps("fraction", ["delivered": 2]) == ["/state/f/steps/delivered unfitSteps"])
        #expect(Self.steps("step", ["delivered": 2]) == [])
        #expect(Self.steps("step", ["delivered": 1.5]) == ["/state/f/steps/delivered unfitSteps"])
    }
}
