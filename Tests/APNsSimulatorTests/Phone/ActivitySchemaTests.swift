import JSONText
import Testing

@testable import APNsSimulator

@Suite struct ActivitySchemaTests {
    @Test func `a described type decodes as its Swift type would`() throws {
        let described: JSON = [
            "attributesType": "RideAttributes",
            "attributes": ["orderID": "string"],
            "state": [
                "status": ["open", "done"], "arrival": "number?", "driver": ["optional": ["name": "string"]],
                "stops": ["listOf": "integer"],
            ],
            "orderKey": "orderID",
        ]
        let schema = try ActivitySchema(Form(described))
        #expect(schema.orderKey == "orderID")
        #expect(schema.attributes.fault(in: ["orderID": "7"]) == nil)
        #expect(schema.state.fault(in: ["status": "open", "stops": [1]]) == nil)
        #expect(schema.state.fault(in: ["status": "lost", "stops": [1]]) == "status: unknown word")
        #expect(schema.state.fault(in: ["status": "open", "stops": [1], "driver": [:]]) == "driver: name: missing")
    }

    @Test(
        arguments: [
            [:], ["attributesType": "A", "attributes": ["a": "text"], "state": [:]],
            ["attributesType": "A", "attributes": [:], "state": ["a": [1]]],
            ["attributesType": "A", "attributes": [:], "state": ["a": ["optional": "date"]]],
            ["attributesType": "A", "attributes": [:], "state": [:], "orderKey": 5],
            ["attributesType": "A", "attributes": [:], "state": [:], "fromBuild": "two"],
            ["attributesType": "A", "attributes": [:], "state": [:], "colour": "red"],
        ] as [JSON]
    )
    func `nonsense is refused`(json: JSON) {
        #expect(throws: ControlProblem.self) { try ActivitySchema(Form(json)) }
    }

    @Test func `a contract's own words make the type`() throws {
        let contract: JSON = [
            "id": "status.v1", "attributesType": "DeliveryAttributes",
            "attributes": [
                "orderId": ["from": "order", "type": "String"], "total": ["value": 3, "type": "Int"],
            ],
            "state": [
                "status": ["from": "phase", "type": "String", "cases": ["preparing", "done"], "map": [:]],
                "arrival": ["from": "eta", "type": "Date", "as": "swiftDate", "ifUnknown": "hold"],
                "courierName": ["from": "courier", "type": "String?"], "isLate": ["from": "late", "type": "Bool"],
                "version": ["from": "revision", "type": "Int64"],
            ],
        ]
        let schema = try ActivitySchema(Form(["contract": contract, "fromBuild": "2.10"]))
        #expect(schema.attributesType == "DeliveryAttributes")
        #expect([schema.orderKey, schema.phaseKey, schema.revisionKey] == ["orderId", "status", "version"])
        #expect(schema.attributes.fault(in: ["orderId": "7", "total": 3]) == nil)
        let good: JSON = ["status": "done", "arrival": 788_919_720.5, "isLate": false, "version": 4]
        #expect(schema.state.fault(in: good) == nil)
        var bad = good.objectValue ?? [:]
        bad["status"] = "delivered"
        #expect(schema.state.fault(in: .object(bad)) == "status: unknown word")
        bad["status"] = "done"
        bad["arrival"] = "2026-11-30T12:00:00Z"
        #expect(schema.state.fault(in: .object(bad)) == "arrival: not a number")
        #expect(["2.9", "2.10", "3", "", "x"].map(schema.isKnown) == [false, true, true, false, false])
    }

    @Test(arguments: [[:], ["attributesType": "A", "attributes": ["a": ["from": "order"]], "state": [:]]] as [JSON])
    func `a contract that does not say the types is not understood`(contract: JSON) {
        #expect(throws: ControlProblem.self) { try ActivitySchema(Form(["contract": contract])) }
    }

    @Test func `the built-in type asks for every field that is never unknown`() {
        let schema = ActivitySchema.doorstepV1()
        #expect(schema.attributes.fault(in: SimulatedWorld.attributes()) == nil)
        #expect(schema.state.fault(in: SimulatedWorld.state()) == nil)
        for name in ["phase", "late", "stale", "attemptFailed", "asOf", "revision"] {
            var state = SimulatedWorld.state().objectValue ?? [:]
            state[name] = nil
            #expect(schema.state.fault(in: .object(state)) == "\(name): missing")
        }
    }
}
